import { until } from '../../../harness/processes/until';
import { setStage, STAGE_TIMEOUT_MS, type Stage } from '../support/stage';
import { outcomeOf, WaitingRuns, type Site } from './support/waitingRuns';

describe('Wait for Completion on a real n8n', () => {
	let stage: Stage;
	let site: Site;

	beforeAll(async () => {
		stage = await setStage();
		const { n8n, service, sandbox, credentialId } = stage;
		site = { api: n8n.api, webhookUrl: n8n.url, service, control: sandbox.control, credentialId };
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => {
		if (process.env.SHOW_LOGS) console.log(stage?.n8n.logs);
		await stage?.close();
	});

	it('sleeps until the document is signed, and puts it out as Get does', async () => {
		const runs = await WaitingRuns.publish(site, 'one');
		const document = await site.service.send('One', ['ada@example.com']);
		await runs.start([document.id]);
		await runs.asleep(1);
		await site.control.sign(document.recipients[0]?.id ?? '');
		const [execution] = await runs.finished(1);
		expect(execution?.status).toBe('success');
		expect(outcomeOf(execution!)).toEqual({
			items: [{ json: await site.service.document(document.id), pairedItem: { item: 0 } }],
			runs: 1,
		});
		await until('x', async () => true);
		await runs.end();
	});
});
