import { startSandbox, type Sandbox } from '../../../sandbox';
import { ServiceClient, type Document } from '../../../harness/serviceClient';
import { until } from '../../../harness/processes/until';
import { byId } from '../../actions/support/workbench';
import { WaitingN8n } from '../../actions/support/waitingN8n';
import { captureLog } from '../support/log';
import { clock } from '../support/n8nInstance';

let sandbox: Sandbox;
let service: ServiceClient;
let n8n: WaitingN8n;

const MANY = 30;

beforeAll(async () => {
	sandbox = await startSandbox({ rateLimit: 0 });
	service = new ServiceClient(sandbox.url, sandbox.keys.test);
});
beforeEach(async () => {
	await sandbox.control.reset();
	captureLog();
	n8n = await WaitingN8n.start({ baseUrl: sandbox.url, apiKey: sandbox.keys.test });
	await n8n.publish();
});
afterEach(async () => {
	await sandbox.control.clearFaults();
	await n8n.end();
	jest.restoreAllMocks();
});
afterAll(async () => await sandbox.close());

const send = async (title: string) => await service.send(title, ['ada@example.com']);
const sign = async ({ recipients }: Document) => await sandbox.control.sign(recipients[0]?.id ?? '');
const goneOn = async (id: string) =>
	await clock.during(until(`execution ${id} to go on`, async () => n8n.outputOf(id)));

/** One execution that waits for many documents, all of them older than the hundred newest. */
async function asleepForMany(): Promise<{ id: string; documents: Document[] }> {
	const documents: Document[] = [];
	for (let index = 0; index < MANY; index++) documents.push(await send(`Old ${index}`));
	for (let index = 0; index < 100; index++) await send(`New ${index}`);
	const items = documents.map((document) => ({ json: { id: document.id } }));
	const { id } = await n8n.wait({ documentId: byId('={{ $json.id }}') }, items);
	expect(n8n.outputOf(id)).toBeUndefined();
	return { id, documents };
}

describe('One execution that waits for many documents', () => {
	it('asks for each document once, and each time for one that is open', async () => {
		const { id, documents } = await asleepForMany();
		const before = (await sandbox.control.requests()).length;
		for (const document of documents) {
			await sign(document);
			await clock.pass(1_000);
		}
		const { items } = await goneOn(id);
		expect(items.map(({ json }) => [json.id, json.status])).toEqual(documents.map((d) => [d.id, 'completed']));
		expect(n8n.timesGoneOn(id)).toBe(1);
		const asked = (await sandbox.control.requests()).slice(before).length;
		expect(asked).toBeLessThanOrEqual(2 * MANY);
	}, 120_000);

	it('goes on although one call has no time for all of them', async () => {
		const { id, documents } = await asleepForMany();
		for (const document of documents) {
			await sandbox.control.fault({
				method: 'GET',
				path: `/documents/${document.id}`,
				when: 'before',
				kind: 'delay',
				delay_ms: 125,
				times: 1000,
			});
		}
		for (const document of documents) await sign(document);
		await goneOn(id);
		expect(n8n.timesGoneOn(id)).toBe(1);
	}, 120_000);
});
