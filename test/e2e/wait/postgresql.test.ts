import { setStage, STAGE_TIMEOUT_MS, type Stage } from '../support/stage';
import { twentyGoOn, WaitingRuns } from './support/waitingRuns';

describe('Wait for Completion on an n8n that keeps its data in PostgreSQL', () => {
	let stage: Stage;

	beforeAll(async () => {
		stage = await setStage({ database: 'postgres' });
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close());

	it('twenty wait at once, n8n is killed and started again, and each goes on once when its document ends', async () => {
		const { n8n, service, sandbox, credentialId } = stage;
		const site = { api: n8n.api, webhookUrl: n8n.url, service, control: sandbox.control, credentialId };
		const runs = await WaitingRuns.publish(site, 'twenty');
		const restart = async () => {
			await n8n.kill();
			await n8n.start();
		};
		for (const gone of await twentyGoOn(runs, 11, restart)) {
			expect({ status: gone.status, times: gone.runs }).toEqual({ status: gone.ending, times: 1 });
		}
		await runs.end();
	});
});
