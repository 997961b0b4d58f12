import fc from 'fast-check';
import { SEED, sized } from '../../../harness/nightly';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { captureLog } from '../support/log';
import { N8nInstance } from '../support/n8nInstance';
import { OfferSender } from '../support/offerSender';
import { steps } from './steps';
import { Model, World } from './world';

const RUNS = sized(12, 200);
const COMMANDS = 14;

let sandbox: Sandbox;

beforeAll(async () => void (sandbox = await startSandbox({ rateLimit: 0 })));
afterAll(async () => await sandbox.close());

describe('Whatever happens to n8n and the service, in any order', () => {
	it('at rest there is one endpoint per active trigger, its secret verifies, and each event ran once or is named', async () => {
		await fc.assert(
			fc.asyncProperty(fc.commands(steps, { maxCommands: COMMANDS }), async (commands) => {
				await sandbox.control.reset();
				const logged = captureLog();
				const n8n = new N8nInstance({ baseUrl: sandbox.url, apiKey: sandbox.keys.test });
				await n8n.start();
				const world = new World(sandbox, n8n, new OfferSender(sandbox, sandbox.keys.test), logged);
				const model = new Model();
				n8n.waitsForLook = false;
				try {
					for (const workflow of world.workflows) await n8n.activate(workflow);
					await fc.asyncModelRun(() => ({ model, real: world }), commands);
					await world.rest(model);
				} finally {
					await n8n.kill();
					jest.restoreAllMocks();
				}
			}),
			{ numRuns: RUNS, seed: SEED, endOnFailure: true },
		);
	});
});
