import { NodeConnectionTypes, type INodeExecutionData, type INodeType } from 'n8n-workflow';
import { startLateProxy, type LateProxy, type Loss } from '../../harness/lateProxy';
import { N8n, nodeRun } from '../../harness/n8nCore/n8n';
import { asTool } from '../../harness/n8nCore/toolCalls';
import { ESign } from '../../nodes/ESign/ESign.node';
import { callsOf } from '../client/support/faults';
import { FaultyService, TYPE } from '../actions/everyOperation/faultyService';
import { byId, DRAFT, RETRY, templateSend, withContract } from '../actions/support/workbench';

/** Sends what it gets round once more, as a Loop node does. */
class OnceMore implements INodeType {
	static rounds = 0;

	description = {
		displayName: 'Once More',
		name: 'onceMore',
		group: ['transform' as const],
		version: 1,
		description: 'Sends what it gets round once more',
		defaults: {},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	};

	async execute(this: { getInputData(): INodeExecutionData[] }): Promise<INodeExecutionData[][]> {
		return [OnceMore.rounds++ === 0 ? this.getInputData().map(() => ({ json: {} })) : []];
	}
}

let service: FaultyService;
let proxy: LateProxy;
let n8n: N8n;
let losses: Array<Loss | undefined> = [];
let lostLooks = 0;
let onCreating: () => void;

beforeAll(async () => {
	service = await FaultyService.open({ attempts: 2 });
	proxy = await startLateProxy(
		() => service.sandbox.url,
		service.clock,
		(method, path) => {
			if (method === 'GET' && /\/documents\?/.test(path) && lostLooks > 0) {
				lostLooks -= 1;
				return { how: 503, afterMs: 0 };
			}
			if (method !== 'POST' || !/\/(templates\/[^/]+\/send|documents|remind)$/.test(path)) return undefined;
			onCreating();
			return losses.shift();
		},
	);
});
beforeEach(async () => {
	await service.sandbox.control.reset();
	const credential = { baseUrl: `${proxy.url}/v1`, apiKey: service.sandbox.keys.test };
	n8n = new N8n({ [TYPE]: new ESign(), 'test.onceMore': new OnceMore() }, credential);
	losses = [];
	lostLooks = 0;
	OnceMore.rounds = 0;
	onCreating = () => undefined;
});
afterAll(async () => {
	await proxy.close();
	await service.close();
});

/** The answer is lost, and the document is there so many seconds later. */
const late = (seconds: number): Loss => ({ how: 'reset', afterMs: 10, effectMs: seconds * 1000 });

const send = async (title = 'T') => templateSend(await service.direct.template('Mutual NDA'), title);

const kept = async () => {
	await proxy.settle();
	return (await service.direct.list('/documents?limit=100')).map(({ id }) => id).sort();
};

describe('Retry On Fail after a lost answer', () => {
	it('goes on looking for what was sent, though the title resolves differently at each try', async () => {
		losses = [late(50)];
		lostLooks = 5;
		const parameters = await send('={{ "T " + Math.random() }}');
		const { items, error } = await n8n.runNode(TYPE, { parameters, settings: RETRY });
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.id)).toEqual(await kept());
	});

	it('sends once more when it is certain that nothing came of the first', async () => {
		losses = [{ how: 503, afterMs: 10 }];
		lostLooks = 5;
		const { items } = await n8n.runNode(TYPE, { parameters: await send(), settings: RETRY });
		expect(items.map(({ json }) => json.id)).toEqual(await kept());
		expect(await callsOf(service.sandbox, 'POST /templates/{id}/send')).toBe(1);
	});

	it('never sends a draft that came late, and says that there may be one', async () => {
		losses = [late(55)];
		lostLooks = 5;
		const parameters = { resource: 'document', operation: 'createAndSend', ...DRAFT };
		const { items, hints } = await n8n.runNode(TYPE, { parameters, items: await withContract({}), settings: RETRY });
		expect(items.map(({ json }) => json.status)).toEqual(['in_progress']);
		expect(hints.map(({ message }) => message).join()).toContain('There may be a second draft like it');
		await proxy.settle();
		const all = await service.direct.list('/documents?limit=100');
		expect(all.map(({ status }) => status).sort()).toEqual(['draft', 'in_progress']);
	});
});

describe('An execution that is stopped', () => {
	it.each([
		['while the answer is under way', 10],
		['while the effect of a lost answer is looked for', 1_900],
	])('%s is gone on with by Retry execution, which finds what it has left', async (_, slept) => {
		const stop = new AbortController();
		losses = [late(40)];
		const { clock } = service;
		const sleep = clock.sleep.bind(clock);
		const asleep = jest.spyOn(clock, 'sleep').mockImplementation(async (milliseconds) => {
			if (milliseconds >= slept && milliseconds < slept * 2) stop.abort();
			await sleep(milliseconds);
		});
		const parameters = await send();
		const stopped = await n8n.runNode(TYPE, { parameters, signal: stop.signal });
		asleep.mockRestore();
		expect(stopped.error?.message).toContain('cancelled while trying to create the document');
		expect(stopped.error?.description).toContain('may or may not have been carried out');

		const again = await n8n.retryNode(TYPE, stopped, { parameters });
		expect(again.error).toBeUndefined();
		expect(again.items.map(({ json }) => json.id)).toEqual(await kept());
	});
});

describe('A node in a loop', () => {
	it.each([
		['after a round that has succeeded', undefined, 2],
		['after a round that has failed for good', { how: 'reset', afterMs: 0 } as const, 1],
	])('does everything again %s', async (_, loss, documents) => {
		losses = loss ? [loss, loss] : [];
		const workflow = n8n.workflow(
			[
				{ name: 'Items', type: 'test.items' },
				{ name: 'eSign', type: TYPE, parameters: await send(), onError: 'continueRegularOutput' },
				{ name: 'Once more', type: 'test.onceMore' },
			],
			{
				connections: {
					Items: { main: [[{ node: 'eSign', type: 'main', index: 0 }]] },
					eSign: { main: [[{ node: 'Once more', type: 'main', index: 0 }]] },
					'Once more': { main: [[{ node: 'eSign', type: 'main', index: 0 }]] },
				},
			},
		);
		const run = await n8n.execute(workflow, 'eSign');
		expect(run.data.resultData.runData.eSign).toHaveLength(2);
		expect(nodeRun(run, 'eSign').items.map(({ json }) => json.error)).toEqual([undefined]);
		await expect(kept()).resolves.toHaveLength(documents);
	});
});

describe('As the tool of an agent, with Retry On Fail', () => {
	const title = "={{ $fromAI('title') + ' ' + Math.random() }}";

	it('a lost answer leaves one document, though every try has a run index and a title of its own', async () => {
		losses = [late(50)];
		lostLooks = 5;
		const call = asTool(n8n, TYPE, { parameters: await send(title), settings: RETRY });
		const [made] = (await call({ title: 'T' })) as Array<{ id: string }>;
		await expect(kept()).resolves.toEqual([made?.id]);
	});

	it('a call that is made twice is done twice, one after the other or at once', async () => {
		const call = asTool(n8n, TYPE, { parameters: await send("={{ $fromAI('title') }}"), settings: RETRY });
		await call({ title: 'T' });
		await call({ title: 'T' });
		await expect(kept()).resolves.toHaveLength(2);
		await Promise.all([call({ title: 'T' }), call({ title: 'T' })]);
		await expect(kept()).resolves.toHaveLength(4);
	});

	it('a draft is gone on with when a later step fails', async () => {
		const fault = { method: 'PUT', path: '/documents/*/fields', when: 'before', kind: 'status', status: 402 } as const;
		await service.sandbox.control.fault({ ...fault, times: 1 });
		const parameters = {
			resource: 'document',
			operation: 'create',
			...DRAFT,
			fileSource: 'fileIds',
			fileIds: await service.direct.upload(),
			automatic: { page: 'first' },
			title,
		};
		const call = asTool(n8n, TYPE, { parameters, settings: RETRY });
		await expect(call({ title: 'T' })).resolves.toMatchObject([{ status: 'draft' }]);
		await expect(kept()).resolves.toHaveLength(1);
	});

	it('a call that has failed is not gone on with by one for somebody else, made before the next try', async () => {
		const fault = { method: 'PUT', path: '/documents/*/fields', when: 'before', kind: 'status', status: 402 } as const;
		await service.sandbox.control.fault({ ...fault, times: 1 });
		const email = "={{ $fromAI('email') }}";
		const parameters = {
			resource: 'document',
			operation: 'createAndSend',
			...DRAFT,
			recipients: { recipient: [{ name: 'Somebody', email, type: 'signer' }] },
			fileSource: 'fileIds',
			fileIds: await service.direct.upload(),
			automatic: { page: 'first' },
			title,
		};
		const call = asTool(n8n, TYPE, { parameters, settings: { ...RETRY, waitBetweenTries: 500 } });
		const callFor = async (one: string) => await call({ title: one, email: `${one}@example.com` });
		const first = callFor('Ada');
		while ((await callsOf(service.sandbox, 'PUT /documents/{id}/fields')) === 0) await new Promise(setImmediate);
		await service.direct.list('/documents');
		// n8n may give the next try of the first call what the model said in the second, but never half of each.
		type Made = Array<{ title: string; recipients: Array<{ email: string }> }>;
		for (const [made] of (await Promise.all([callFor('Bo'), first])) as Made[]) {
			const [name] = made?.title.split(' ') ?? [];
			expect(made?.recipients.map((one) => one.email)).toEqual([`${name}@example.com`]);
		}
	});

	it('a reminder whose answer is lost goes out once, also when the model asks again', async () => {
		const { id } = await service.direct.sent();
		losses = [late(0)];
		const parameters = { resource: 'document', operation: 'remind', documentId: byId("={{ $fromAI('id') }}") };
		const call = asTool(n8n, TYPE, { parameters, settings: RETRY });
		await expect(call({ id })).rejects.toThrow('may or may not have gone out');
		await expect(call({ id })).rejects.toThrow('may or may not have gone out');
		await proxy.settle();
		expect(await callsOf(service.sandbox, 'POST /documents/{id}/remind')).toBe(1);
	});
});

describe('A reminder whose answer is lost', () => {
	it('is not sent again by a retry after ten minutes, though another execution has asked for it meanwhile', async () => {
		const { id } = await service.direct.sent();
		losses = [late(0)];
		const parameters = { resource: 'document', operation: 'remind', documentId: byId(id) };
		const first = await n8n.runNode(TYPE, { parameters });
		await n8n.runNode(TYPE, { parameters });
		await service.clock.sleep(660_000);
		const again = await n8n.retryNode(TYPE, first, { parameters });
		expect(again.error?.description).toContain('may or may not have gone out');
		await proxy.settle();
		expect(await callsOf(service.sandbox, 'POST /documents/{id}/remind')).toBe(1);
	});
});
