import { createHmac, randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { forEachOf, ServiceClient, type Document } from '../../../harness/serviceClient';
import { until } from '../../../harness/processes/until';
import {
	controlKey,
	newMessage,
	seal,
	unseal,
	type ControlAnswer,
	type WaitRequest,
} from '../../../nodes/ESign/transport';
import { byId } from '../../actions/support/workbench';
import { WaitingN8n } from '../../actions/support/waitingN8n';
import { deliver } from '../support/deliveries';
import { captureLog } from '../support/log';
import { clock, type StoredWorkflow } from '../support/n8nInstance';

let sandbox: Sandbox;
let service: ServiceClient;
let n8n: WaitingN8n;
let workflow: StoredWorkflow;
let logged: string[];

beforeAll(async () => {
	sandbox = await startSandbox({ rateLimit: 0 });
	service = new ServiceClient(sandbox.url, sandbox.keys.test);
});
beforeEach(async () => {
	await sandbox.control.reset();
	logged = captureLog();
	n8n = await WaitingN8n.start({ baseUrl: sandbox.url, apiKey: sandbox.keys.test });
	workflow = await n8n.publish();
});
afterEach(async () => {
	await n8n.end();
	jest.restoreAllMocks();
});
afterAll(async () => await sandbox.close());

const send = async (title = 'Contract') => await service.send(title, ['ada@example.com']);
const sign = async ({ recipients }: Document) => await sandbox.control.sign(recipients[0]?.id ?? '');
const goneOn = async (id: string) =>
	await clock.during(until(`execution ${id} to go on`, async () => n8n.outputOf(id)));

async function asleepFor(document: { id: string }): Promise<string> {
	const { id } = await n8n.wait({ documentId: byId(document.id) });
	expect(n8n.outputOf(id)).toBeUndefined();
	return id;
}

/** What the database holds of the executions that wait, by execution. */
function stored(): Record<string, IDataObject> {
	const data = (workflow.staticData[`node:${workflow.node.name}`] ?? {}) as IDataObject;
	const waits = Object.entries(data).filter(([key]) => key.startsWith('wait:'));
	return Object.fromEntries(waits.map(([key, value]) => [key.slice('wait:'.length), value as IDataObject]));
}

async function requestsDuring(work: () => Promise<unknown>): Promise<string[]> {
	const before = (await sandbox.control.requests()).length;
	await work();
	const requests = (await sandbox.control.requests()).slice(before);
	return requests.map(({ method, path }) => `${method} ${path.replace('/v1', '').replace(/\?.*/, '')}`);
}

/** Tells the trigger of an execution that waits, as a node of this n8n does, and resolves with what it makes of that. */
async function tell(request: Partial<WaitRequest>): Promise<unknown> {
	const execution = request.execution ?? '1';
	const key = controlKey(createHmac('sha256', sandbox.keys.test).update('n8n-nodes-esign shared secret').digest('hex'));
	const wait: WaitRequest = {
		key: randomUUID(),
		execution,
		resumeUrl: `${n8n.trigger.publicUrl}/webhook-waiting/${execution}`,
		instance: String(await instanceId()),
		documents: ['doc_1'],
		...request,
	};
	const body = JSON.stringify({ sealed: seal(newMessage({ wait }), key) });
	const { text } = await deliver(n8n.trigger.productionUrl(workflow), body, {});
	return unseal<ControlAnswer>(text, key)?.wait;
}

/** The id of this n8n, which every context gives. */
async function instanceId(): Promise<unknown> {
	const data = workflow.staticData[`node:${workflow.node.name}`] as IDataObject;
	const [endpoint] = Object.entries(data).filter(([key]) => key.startsWith('endpoint:'));
	return String((endpoint?.[1] as IDataObject).owner).split('/')[0];
}

describe('Executions that wait', () => {
	it('are in the database before they sleep, and so survive n8n', async () => {
		const document = await send();
		const id = await asleepFor(document);
		expect(stored()).toMatchObject({ [id]: { documents: [document.id] } });
	});

	it('are all in the database, although twenty fall asleep at once', async () => {
		const documents: Document[] = [];
		for (let index = 0; index < 20; index++) documents.push(await send(`Contract ${index}`));
		const ids = await Promise.all(documents.map(asleepFor));
		expect(Object.keys(stored()).sort()).toEqual(ids.sort());
	});

	it('go on when n8n is up again, if their documents ended while it was dead', async () => {
		const [first, second] = [await send('First'), await send('Second')];
		const ids = [await asleepFor(first), await asleepFor(second)];
		await n8n.trigger.kill();
		await sign(first);
		await sandbox.control.advance(60);
		await n8n.trigger.start();
		expect((await goneOn(ids[0] ?? '')).items).toMatchObject([{ json: { id: first.id, status: 'completed' } }]);
		expect(n8n.outputOf(ids[1] ?? '')).toBeUndefined();
		await sign(second);
		await goneOn(ids[1] ?? '');
		expect(ids.map((id) => n8n.timesGoneOn(id))).toEqual([1, 1]);
	});

	it('go on at the hourly look, if the event was lost', async () => {
		const document = await send();
		const id = await asleepFor(document);
		await n8n.trigger.cutOff();
		await sandbox.control.expire(document.id);
		await sandbox.control.advance(60);
		await n8n.trigger.reconnect();
		expect(n8n.outputOf(id)).toBeUndefined();
		await n8n.trigger.hourPasses();
		expect((await goneOn(id)).items).toMatchObject([{ json: { status: 'expired' } }]);
	});

	it('a hundred of them cost one list request more an hour', async () => {
		const none = await requestsDuring(async () => await n8n.trigger.hourPasses());
		await forEachOf(100, 5, async (index) => await asleepFor(await send(`Contract ${index}`)));
		const hundred = await requestsDuring(async () => await n8n.trigger.hourPasses());
		expect(hundred.sort()).toEqual([...none, 'GET /documents'].sort());
		expect(n8n.calls).toEqual([]);
	}, 180_000);

	it('that have gone on cost nothing any more', async () => {
		const document = await send();
		const none = await requestsDuring(async () => await n8n.trigger.hourPasses());
		const id = await asleepFor(document);
		await sign(document);
		await goneOn(id);
		await clock.pass(20_000);
		expect(await requestsDuring(async () => await n8n.trigger.hourPasses())).toEqual(none);
		expect(stored()).toMatchObject({ [id]: { documents: [] } });
		expect(n8n.calls).toHaveLength(1);
	});

	it('are woken by whichever process receives the event', async () => {
		n8n.trigger.inQueueMode = true;
		const document = await send();
		const id = await asleepFor(document);
		await n8n.trigger.kill();
		await n8n.trigger.start();
		await sign(document);
		expect((await goneOn(id)).items).toMatchObject([{ json: { status: 'completed' } }]);
	});

	it('are saved although n8n puts an older state of the static data over them', async () => {
		const [first, second] = [await send('First'), await send('Second')];
		const id = await asleepFor(first);
		n8n.trigger.otherTriggerEmits(workflow);
		expect(stored()).toEqual({});
		await asleepFor(second);
		expect(Object.keys(stored())).toContain(id);
	});

	it('leave no trace of n8n’s token in its log', async () => {
		const document = await send();
		const token = 'a-token-of-n8n';
		const resumeUrl = `${n8n.trigger.publicUrl}/webhook-waiting/77?signature=${token}`;
		expect(await tell({ execution: '77', resumeUrl, documents: [document.id] })).toBe('taken');
		await sign(document);
		await clock.during(until('the call', async () => (n8n.calls.length > 0 ? true : undefined)));
		expect(n8n.calls).toMatchObject([{ execution: '77', status: 404 }]);
		expect(logged.join('\n')).not.toContain(token);
	});
});

describe('A request to wake an execution', () => {
	it('is taken, and saved by the time it is repeated', async () => {
		const request = { execution: '5', key: 'k' };
		expect([await tell(request), await tell(request)]).toEqual(['taken', 'stored']);
	});

	it('that comes again with fewer documents waits for those', async () => {
		const request = { execution: '5', key: 'k', documents: ['doc_1', 'doc_2'] };
		await tell(request);
		await tell({ ...request, documents: ['doc_2'] });
		await tell({ ...request, documents: ['doc_1', 'doc_2', 'doc_3'] });
		expect(stored()).toMatchObject({ 5: { documents: ['doc_2'] } });
	});

	it('of an execution that waits anew replaces the earlier one', async () => {
		await tell({ execution: '5', key: 'first', documents: [] });
		await tell({ execution: '5', key: 'first', documents: ['doc_1'] });
		await tell({ execution: '5', key: 'second', documents: ['doc_2'] });
		expect(stored()).toMatchObject({ 5: { key: 'second', documents: ['doc_2'] } });
	});

	it.each<[string, () => Partial<WaitRequest>, string]>([
		['at another host', () => ({ resumeUrl: 'https://elsewhere.example/webhook-waiting/1' }), 'other n8n'],
		['at another path of this one', () => ({ resumeUrl: `${n8n.trigger.publicUrl}/rest/login/1` }), 'other n8n'],
		[
			'whose address is another execution’s',
			() => ({ resumeUrl: `${n8n.trigger.publicUrl}/webhook-waiting/2` }),
			'other n8n',
		],
		['with an address that is none', () => ({ resumeUrl: 'nowhere' }), 'other n8n'],
		['of another n8n', () => ({ instance: 'another' }), 'other n8n'],
		['without a key', () => ({ key: '' }), 'other n8n'],
		[
			'for more than static data can hold',
			() => ({ documents: Array.from({ length: 30_000 }, (_, n) => `doc_${n}_of_many`) }),
			'full',
		],
	])('%s is refused, and nothing is kept of it', async (_what, change, answer) => {
		expect(await tell(change())).toBe(answer);
		expect(stored()).toEqual({});
	});

	it('is refused by a test listener', async () => {
		const { id } = await send();
		await n8n.trigger.deactivate(workflow);
		await n8n.trigger.listen(workflow);
		const { run } = await n8n.wait({ documentId: byId(id) });
		expect(run.error?.description).toContain('only listens for a test event');
		await n8n.trigger.stopListening(workflow);
	});
});
