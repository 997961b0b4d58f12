import { until } from '../../support/processes/until';
import { chain, eSign, itemsOf, node, postedRows } from '../support/nodes';
import { eventsOf, postRows, Runs, TRIGGER } from '../support/runs';
import { setSharedStage, STAGE_TIMEOUT_MS, type SharedStage } from '../support/stage';
import { WAIT, waitNode } from './support/waitingRuns';

describe('A workflow of Execution Logic v2 that holds the trigger and Wait for Completion', () => {
	let stage: SharedStage;

	beforeAll(async () => {
		stage = await setSharedStage();
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close());

	it('resumes when its document is completed, and the trigger attaches the file', async () => {
		const { n8n, service, sandbox, credentialId } = stage;
		const events = ['completed', 'declined', 'cancelled', 'expired'].map(
			(one) => `document.${one}`,
		);
		const parameters = { events, options: { downloadFiles: ['signed'] } };
		const trigger = eSign(TRIGGER, 'eSignTrigger', credentialId, parameters);
		const path = 'execution-logic';
		const nodes = [...postedRows(path), waitNode(credentialId, '={{ $json.id }}')];
		const waiting = chain(path, [...nodes, node('After', 'n8n-nodes-base.noOp', {})]);
		const { id } = await n8n.api.createWorkflow({
			...waiting,
			nodes: [...waiting.nodes, trigger],
			settings: { executionOrder: 'v1', binaryMode: 'combined' },
		});
		const runs = await new Runs(n8n.api, id).publish();

		const document = await service.send('Contract', ['ada@example.com']);
		await postRows(n8n, path, [{ id: document.id }]);
		await runs.asleep(1);
		await sandbox.control.sign(String(document.recipients[0]?.id));
		const both = await until('both executions', async () => {
			const all = await runs.settled(2);
			return all.every(({ status }) => status === 'success') ? all : undefined;
		});
		const isOfTrigger = (one: (typeof both)[number]) => eventsOf([one]).length > 0;
		const [resumed] = both.filter((one) => !isOfTrigger(one));
		const [event] = both.filter(isOfTrigger);
		for (const name of [WAIT, 'After'])
			expect(itemsOf(resumed, name)).toMatchObject([
				{ json: { id: document.id, status: 'completed' } },
			]);
		const [item] = itemsOf(event, TRIGGER);
		const files = { ...item?.binary, ...(item?.json._files as object) };
		expect([Object.keys(files), item?.json.download_errors]).toEqual([['signed'], undefined]);
		await runs.end();
	}, 240_000);
});
