import { STAGE_TIMEOUT_MS } from '../support/stage';
import { setClusterStage, type ClusterStage } from '../trigger/support/clusterStage';
import { twentyGoOn, WaitingRuns } from './support/waitingRuns';

/** Ten seconds on a machine of its own; more where others work beside it. What goes on at the hourly look only takes far longer. */
const SOON_MS = 40_000;

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
