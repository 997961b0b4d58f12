import { STAGE_TIMEOUT_MS } from '../support/stage';
import { setClusterStage, type ClusterStage } from '../trigger/support/clusterStage';
import { WaitingRuns } from './support/waitingRuns';

describe('Wait for Completion on an n8n in queue mode', () => {
	let stage: ClusterStage;

	beforeAll(async () => {
		stage = await setClusterStage();
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close());

	it('twenty wait at once, and each resumes once, with its own document, when that ends', async () => {
		const n8n = { api: stage.n8n.api, url: stage.recorder.url };
		const runs = await WaitingRuns.of({ ...stage, n8n }, 'twenty');
		await runs.expectTwentyToGoOn(13);
		await runs.end();
	});
});
