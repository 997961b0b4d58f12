import { setTimeout as realPause } from 'node:timers/promises';
import { nodeRun, type N8n, type NodeRun } from '../support/n8nCore/n8n';
import { createAndSend, TYPE } from '../actions/support/workbench';
import {
	DOCUMENTS,
	DONE,
	DOWN,
	LIMITED,
	NOT_DONE,
	REFUSED,
	SEND,
	TEMPLATE_SEND,
} from './support/losses';
import { numbered, titlesOf } from './support/lossyService';
import { otherWorker } from './support/otherProcess';
import { toAda } from './support/toAda';
import { Workflows } from './support/workflows';

const workflows = new Workflows();
const { service } = workflows;

const posts = () =>
	service.requests
		.filter((request) => request.startsWith('POST'))
		.map((request) => request.replace(/(doc|tpl)_\w+/, '…'));

/** One approval among others of a workflow: the same people and title, and another value. */
const approval = async (n: number) => ({
	parameters: await service.templateSend('Approval'),
	workflowId: 'approvals',
	items: [{ json: { n } }],
});

const begin =
	(n: number, worker: N8n = service.n8n) =>
	async (signal: AbortSignal) =>
		await worker.runNode(TYPE, { ...(await approval(n)), signal });

async function killed(n: number, worker?: N8n, path = /./) {
	const run = await service.killedAt(path, begin(n, worker));
	service.requests.length = 0;
	return run;
}

describe('A template whose title and people another one has that is not through', () => {
	it('is not taken for the other, which was killed', async () => {
		const first = await killed(1);
		const worker = await otherWorker(service);
		const second = await worker.runNode(TYPE, await approval(2));
		const found = await worker.retryNode(TYPE, first, await approval(1), 'stopped');
		expect(found.error).toBeUndefined();
		expect(found.items[0]?.json.id).not.toBe(second.items[0]?.json.id);
		await expect(service.titles()).resolves.toEqual(['Approval', 'Approval']);
	});

	it('leaves its own contract to each of two that were killed', async () => {
		service.lose('POST', TEMPLATE_SEND, NOT_DONE);
		const runs = [await killed(1), await killed(2)];
		await service.clock.sleep(100_000);
		const worker = await otherWorker(service);
		const ids: unknown[] = [];
		for (const run of runs) {
			const { items } = await worker.retryNode(TYPE, run, await approval(0), 'stopped');
			ids.push(items[0]?.json.id);
		}
		expect(new Set(ids).size).toBe(2);
		const out = (await service.documents()).filter(({ status }) => status === 'in_progress');
		expect(out.map(({ id }) => id).sort()).toEqual([...ids].sort());
	});

	it('leaves one to the other, whose answer was lost', async () => {
		service.lose('POST', TEMPLATE_SEND, DONE);
		const first = await service.stoppedAt('GET', /./, begin(1));
		service.requests.length = 0;
		service.lose('POST', TEMPLATE_SEND, NOT_DONE);
		const second = await killed(2, await otherWorker(service));
		await service.clock.sleep(100_000);

		const worker = await otherWorker(service);
		const ids: unknown[] = [];
		for (const run of [second, first]) {
			const { items } = await worker.retryNode(TYPE, run, await approval(0), 'stopped');
			ids.push(items[0]?.json.id);
		}
		const out = await service.documents();
		expect(out.map(({ status }) => status)).toEqual(['in_progress', 'in_progress']);
		expect(out.map(({ id }) => id).sort()).toEqual([...ids].sort());
	});

	it('is not taken for one that was not carried out, and was refused then', async () => {
		service.lose('POST', TEMPLATE_SEND, NOT_DONE);
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		const refused = await service.n8n.runNode(TYPE, await approval(1));
		expect(refused.error).toMatchObject({ httpCode: '402' });
		await killed(2);
		const worker = await otherWorker(service);
		const { items } = await worker.retryNode(TYPE, refused, await approval(0));
		const documents = await service.documents();
		expect(documents).toHaveLength(2);
		expect(items.map(({ json }) => json.id)).toEqual([documents[0]?.id]);
	});

	it('goes out in one request, as do those that come after it', async () => {
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		service.lose('POST', TEMPLATE_SEND, DONE);
		const runs = [];
		for (const n of [1, 2]) runs.push(await service.n8n.runNode(TYPE, await approval(n)));
		expect(runs.map(({ error }) => error?.httpCode)).toEqual(['402', undefined]);
		for (const run of runs) await service.n8n.retryNode(TYPE, run, await approval(0));
		service.requests.length = 0;

		await service.n8n.runNode(TYPE, await approval(3));
		expect(posts()).toEqual(['POST /templates/…/send']);
		await expect(service.titles()).resolves.toHaveLength(3);
	});
});

it('An equal row of a loop gets its own document, whatever earlier retries have left', async () => {
	const [row] = await numbered(1);
	workflows.items = [
		{ ...row, json: {} },
		{ ...row, json: {} },
	];
	const workflow = workflows.loop(createAndSend('T'));
	service.lose('POST', SEND, REFUSED, { times: 2 });
	const first = await workflows.run(workflow);
	await service.n8n.retry(workflow, first);
	const last = await service.n8n.retry(workflow, first);
	const rounds = last.data.resultData.runData.eSign ?? [];
	const ids = rounds.flatMap(({ data }) => data?.main?.[0] ?? []).map(({ json }) => json.id);
	expect(new Set(ids).size).toBe(2);
	expect(nodeRun(last, 'eSign').items).toHaveLength(1);
	await expect(service.statuses()).resolves.toEqual(['in_progress', 'in_progress']);
});

it('What was begun before is in doubt while the list cannot be read', async () => {
	service.loseForGood(TEMPLATE_SEND, DONE);
	const parameters = await service.templateSend('T');
	const lost = await service.run(parameters);
	service.mend();
	service.lose('GET', DOCUMENTS, DOWN, { times: 2 });
	const worker = await otherWorker(service);
	const settings = { onError: 'continueRegularOutput' as const };
	const failed = await worker.retryNode(TYPE, lost, { parameters, settings }, 'stopped');
	expect(failed.items[0]?.json).toMatchObject({ error_details: { in_doubt: true } });
	expect(titlesOf(await worker.retryNode(TYPE, lost, { parameters }, 'stopped'))).toEqual(['T']);
});

it('A template without a title is not sent again, where Skip If Created is set while the first is under way', async () => {
	const plain = await toAda(service);
	const skipping = { ...plain, additionalFields: { skipIfCreatedWithin: 24 } };
	let second: Promise<NodeRun> | undefined;
	service.lose('POST', TEMPLATE_SEND, LIMITED);
	const { clock } = service;
	const { sleep } = clock;
	clock.sleep = async (milliseconds) => {
		if (milliseconds === LIMITED.afterMs) {
			second ??= service.run(skipping);
			// It is through by then, unless it waits for the first.
			await Promise.race([second, realPause(500)]);
		}
		await sleep.call(clock, milliseconds);
	};
	const first = await service.run(plain);
	const found = await second;
	clock.sleep = sleep;
	expect(found?.items[0]?.json).toMatchObject({
		id: first.items[0]?.json.id,
		already_existed: true,
	});
	await expect(service.statuses()).resolves.toEqual(['in_progress']);
});
