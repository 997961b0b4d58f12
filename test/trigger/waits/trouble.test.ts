import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { forEachOf, ServiceClient, type Document } from '../../../harness/serviceClient';
import { until } from '../../../harness/processes/until';
import { controlKey, newMessage, seal } from '../../../nodes/ESign/transport';
import { byId } from '../../actions/support/workbench';
import { WaitingN8n } from '../../actions/support/waitingN8n';
import { deliver } from '../support/deliveries';
import { captureLog } from '../support/log';
import { clock } from '../support/n8nInstance';

let sandbox: Sandbox;
let service: ServiceClient;
let n8n: WaitingN8n;

beforeAll(async () => {
	sandbox = await startSandbox({ rateLimit: 0 });
	service = new ServiceClient(sandbox.url, sandbox.keys.test);
});
beforeEach(async () => {
	await sandbox.control.reset();
	captureLog();
	n8n = await WaitingN8n.start({ baseUrl: sandbox.url, apiKey: sandbox.keys.test });
});
afterEach(async () => {
	await n8n.end();
	jest.restoreAllMocks();
});
afterAll(async () => await sandbox.close());

const send = async (title: string) => await service.send(title, ['ada@example.com']);
const sign = async ({ recipients }: Document) => await sandbox.control.sign(recipients[0]?.id ?? '');
const goneOn = async (id: string) =>
	await clock.during(until(`execution ${id} to go on`, async () => n8n.outputOf(id)));

it('an execution goes on at the hourly look although the webhook of the trigger cannot be put back', async () => {
	await n8n.publish();
	const document = await send('Contract');
	const { id } = await n8n.wait({ documentId: byId(document.id) });
	const { data } = await service.api<{ data: Array<{ id: string }> }>('GET', '/webhooks');
	for (const endpoint of data) await service.api('DELETE', `/webhooks/${endpoint.id}`);
	for (let place = 0; place < 5; place++) {
		await service.api('POST', '/webhooks', {
			url: `https://elsewhere.example/${place}`,
			events: ['document.completed'],
		});
	}
	await sign(document);
	await n8n.trigger.hourPasses();
	expect((await goneOn(id)).items).toMatchObject([{ json: { status: 'completed' } }]);
});

it('an event ends the pause before the next call of an execution that could not ask the service', async () => {
	await n8n.publish();
	const documents = [await send('One'), await send('Two')] as const;
	const items = documents.map((document) => ({ json: { id: document.id } }));
	const { id } = await n8n.wait({ documentId: byId('={{ $json.id }}') }, items);
	await sandbox.control.fault({
		method: 'GET',
		path: '/documents/*',
		when: 'before',
		kind: 'status',
		status: 403,
		times: 1000,
	});
	await sign(documents[0]);
	// The next call is minutes away.
	await clock.pass(260_000);
	await sandbox.control.clearFaults();
	const calls = n8n.calls.length;
	await sign(documents[1]);
	await clock.pass(20_000);
	await until('the call', async () => (n8n.calls.length > calls ? true : undefined));
	expect((await goneOn(id)).items).toMatchObject([
		{ json: { status: 'completed' } },
		{ json: { status: 'completed' } },
	]);
	// Another may follow, which looks whether n8n has let it go on.
	expect(n8n.calls.slice(calls).filter(({ status }) => status === 200)).toHaveLength(1);
});

it('the hourly look does not read through all newer documents for an old one', async () => {
	await n8n.publish();
	const document = await send('Old');
	await n8n.wait({ documentId: byId(document.id) });
	const template = await service.api<{ data: Array<{ id: string; roles: Array<{ role: string }> }> }>(
		'GET',
		'/templates',
	);
	const [{ id, roles } = { id: '', roles: [] }] = template.data;
	const recipients = roles.map(({ role }) => ({ role, name: role, email: `${role.toLowerCase()}@example.com` }));
	await forEachOf(250, 5, async () => await service.api('POST', `/templates/${id}/send`, { recipients }));
	const before = (await sandbox.control.requests()).length;
	await n8n.trigger.hourPasses();
	await clock.pass(1_000);
	const requests = (await sandbox.control.requests()).slice(before).map(({ method, path }) => `${method} ${path}`);
	expect(requests.filter((path) => path.includes('/documents')).length).toBeLessThanOrEqual(2);
}, 120_000);

it('an execution that waits for long is not crowded out by those that have gone on, in queue mode', async () => {
	n8n.trigger.inQueueMode = true;
	const workflow = await n8n.publish();
	const document = await send('Long');
	const { id } = await n8n.wait({ documentId: byId(document.id) });
	const stored = () => workflow.staticData[`node:${workflow.node.name}`] as IDataObject;
	const [, endpoint] = Object.entries(stored()).find(([key]) => key.startsWith('endpoint:')) ?? [];
	const { owner } = endpoint as { owner: string };
	const key = controlKey(createHmac('sha256', sandbox.keys.test).update('n8n-nodes-esign shared secret').digest('hex'));

	for (let hour = 0; hour < 4; hour++) {
		const at = Date.now() + 1_000 + hour;
		const over = Array.from({ length: 600 }, (_, number) => `${hour}-${number}`);
		const members = Object.fromEntries(
			over.map((one) => [`wait:${one}`, { id: one, key: one, url: 'over', documents: [], until: at + 86_400_000, at }]),
		);
		await deliver(
			n8n.trigger.productionUrl(workflow),
			JSON.stringify({ sealed: seal(newMessage({ owner, members }), key) }),
			{},
		);
		await n8n.trigger.hourPasses();
	}
	expect(Object.keys(stored())).toContain(`wait:${id}`);
	expect(Object.keys(stored()).length).toBeLessThan(1_000);
}, 120_000);
