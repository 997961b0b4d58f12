import { STAGE_TIMEOUT_MS } from '../support/stage';
import { setClusterStage, type ClusterStage } from '../trigger/support/clusterStage';
import { twentyGoOn, WaitingRuns } from './support/waitingRuns';

const SOON_MS = 10_000;

describe('Wait for Completion on an n8n in queue mode', () => {
	let stage: ClusterStage;

	beforeAll(async () => {
		stage = await setClusterStage();
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close());

	it('twenty wait at once, and each goes on once, with its own document, when that ends', async () => {
		const { cluster, service, sandbox, credentialId, recorder } = stage;
		const site = { api: cluster.main.api, webhookUrl: recorder.url, service, control: sandbox.control, credentialId };
		const runs = await WaitingRuns.publish(site, 'twenty');
		for (const gone of await twentyGoOn(runs, 13)) {
			expect({ status: gone.status, times: gone.runs }).toEqual({ status: gone.ending, times: 1 });
			expect(gone.after).toBeLessThan(SOON_MS);
		}
		await runs.end();
	});
});
