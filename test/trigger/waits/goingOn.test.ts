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
let logged: string[];

beforeAll(async () => {
	sandbox = await startSandbox({ rateLimit: 0 });
	service = new ServiceClient(sandbox.url, sandbox.keys.test);
});
beforeEach(async () => {
	await sandbox.control.reset();
	logged = captureLog();
	n8n = await WaitingN8n.start({ baseUrl: sandbox.url, apiKey: sandbox.keys.test });
});
afterEach(async () => {
	await sandbox.control.clearFaults();
	await n8n.end();
	jest.restoreAllMocks();
});
afterAll(async () => await sandbox.close());

const send = async (title = 'Contract') => await service.send(title, ['ada@example.com']);
const sign = async ({ recipients }: Document) => await sandbox.control.sign(recipients[0]?.id ?? '');
const goneOn = async (id: string) =>
	await clock.during(until(`execution ${id} to go on`, async () => n8n.outputOf(id)));

async function asleepFor(document: Document): Promise<string> {
	const { id, run } = await n8n.wait({ documentId: byId(document.id) });
	expect(run.error).toBeUndefined();
	expect(n8n.outputOf(id)).toBeUndefined();
	return id;
}

it('executions whose documents end while another asks the service are served by one list', async () => {
	await n8n.publish();
	const documents: Document[] = [];
	for (let index = 0; index < 20; index++) documents.push(await send(`Contract ${index}`));
	const ids: string[] = [];
	for (const document of documents) ids.push(await asleepFor(document));
	// The first is asked for at once, and the answer takes until all others have ended too.
	await sandbox.control.fault({
		method: 'GET',
		path: '/documents/*',
		when: 'before',
		kind: 'delay',
		delay_ms: 3_000,
		times: 1,
	});
	const before = (await sandbox.control.requests()).length;
	await Promise.all(documents.map(sign));
	for (const [index, id] of ids.entries()) {
		expect((await goneOn(id)).items).toMatchObject([{ json: { id: documents[index]?.id, status: 'completed' } }]);
		expect(n8n.timesGoneOn(id)).toBe(1);
	}
	const asked = (await sandbox.control.requests()).slice(before).map(({ method }) => method);
	expect(asked.length).toBeLessThanOrEqual(5);
}, 60_000);

it('a document that cannot be read does not keep the others asleep', async () => {
	await n8n.publish();
	const documents = [await send('One'), await send('Two'), await send('Three')];
	const ids: string[] = [];
	for (const document of documents) ids.push(await asleepFor(document));
	for (const path of ['/documents', `/documents/${documents[0]?.id}`]) {
		await sandbox.control.fault({ method: 'GET', path, when: 'before', kind: 'status', status: 403, times: 1000 });
	}
	await Promise.all(documents.map(sign));
	for (const id of ids.slice(1)) expect((await goneOn(id)).items).toMatchObject([{ json: { status: 'completed' } }]);
	expect(n8n.outputOf(ids[0] ?? '')).toBeUndefined();
	await sandbox.control.clearFaults();
	await goneOn(ids[0] ?? '');
});

it('an execution that n8n 1.x says goes on, and does not start, is woken again', async () => {
	n8n.answersFirst = true;
	await n8n.publish();
	const document = await send();
	const id = await asleepFor(document);
	n8n.failedStarts = 1;
	await sign(document);
	expect((await goneOn(id)).items).toMatchObject([{ json: { status: 'completed' } }]);
	expect(n8n.failedStarts).toBe(0);
	expect(n8n.timesGoneOn(id)).toBe(1);
});

it.each([0, 1])('of two triggers one is unpublished while an execution waits, number %i: it goes on', async (gone) => {
	const workflows = [await n8n.publish(), await n8n.publish()];
	const document = await send();
	const id = await asleepFor(document);
	const workflow = workflows[gone];
	if (workflow) await n8n.trigger.deactivate(workflow);
	await sign(document);
	expect((await goneOn(id)).items).toMatchObject([{ json: { status: 'completed' } }]);
	expect(n8n.timesGoneOn(id)).toBe(1);
});

it('two triggers wake an execution once, and each of them asks at the hourly look', async () => {
	await n8n.publish();
	await n8n.publish();
	const document = await send();
	const id = await asleepFor(document);
	const lists = async () =>
		(await sandbox.control.requests()).filter(
			({ method, path }) => method === 'GET' && /\/documents(?:\?|$)/.test(path),
		).length;
	const before = await lists();
	await n8n.trigger.hourPasses();
	expect(await lists()).toBe(before + 2);
	await sign(document);
	await goneOn(id);
	const requests = (await sandbox.control.requests()).length;
	await clock.pass(30_000);
	expect(n8n.timesGoneOn(id)).toBe(1);
	expect((await sandbox.control.requests()).slice(requests)).toEqual([]);
});

it('the first of two triggers is unpublished, and the second cannot wake an execution for long: its look does', async () => {
	const workflows = [await n8n.publish(), await n8n.publish()];
	const [{ url } = { url: '' }] = await service.endpoints();
	const document = await send();
	const id = await asleepFor(document);
	const first = workflows.find((workflow) => n8n.trigger.productionUrl(workflow) === url);
	if (first) await n8n.trigger.deactivate(first);
	expect(n8n.trigger.active).toHaveLength(1);
	const path = `/v1/documents/${document.id}`;
	await sandbox.control.fault({ method: 'GET', path, when: 'before', kind: 'status', status: 503, times: 1_000_000 });
	await sign(document);
	await sandbox.control.advance(0);
	await clock.during(
		until('the second trigger to give up', async () => logged.find((line) => /could not be woken/.test(line))),
	);
	await sandbox.control.clearFaults();
	await n8n.trigger.hourPasses();
	expect((await goneOn(id)).items).toMatchObject([{ json: { status: 'completed' } }]);
	expect(n8n.timesGoneOn(id)).toBe(1);
});
