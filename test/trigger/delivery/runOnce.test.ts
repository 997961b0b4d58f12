import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { nodeMemories, type NodeMemories } from '../../support/n8nCore/nodeMemory';
import type { Delivered } from '../../../nodes/ESign/trigger/delivery/acceptance';
import type * as RunOnce from '../../../nodes/ESign/trigger/delivery/runEvents';
import { payloadOf } from '../support/deliveries';
import { captureLog } from '../support/log';
import { N8nInstance, type StoredWorkflow } from '../support/n8nInstance';

/** In the middle of a minute. */
const SIGNED_AT = 1_800_000_030;

const instance = new N8nInstance({ baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'sk_test_unused' });
const payload = payloadOf('document.sent');

let memories: NodeMemories;
let workflow: StoredWorkflow;

beforeEach(() => {
	captureLog();
	memories = nodeMemories();
	memories.clear();
	workflow = instance.add({ events: ['document.sent'] });
});
afterEach(() => jest.restoreAllMocks());

/** How many items an execution has that a delivery has started. */
async function runs(
	changed: Partial<Delivered> = {},
	{
		mode = 'webhook' as 'webhook' | 'retry' | 'manual',
		in: stored = workflow,
		execution = undefined as string | undefined,
	} = {},
): Promise<number> {
	const delivered = { id: payload.id, signedAt: SIGNED_AT, ...changed };
	const item = { json: payload, delivered } as unknown as INodeExecutionData;
	const { items, error, hints } = await instance.outputOf(stored, item, mode, execution);
	expect(error).toBeUndefined();
	// An execution that ends here says why.
	const why =
		items.length === 0 ? [`Event ${payload.id} ran before. This execution ends here.`] : [];
	expect(hints.map(({ message }) => message)).toEqual(why);
	for (const { json, delivered: more } of items) expect([json, more]).toEqual([payload, undefined]);
	return items.length;
}

describe('An event', () => {
	it('runs once, whatever process its execution is on', async () => {
		expect([await runs(), await runs()]).toEqual([1, 0]);
	});

	it.each([
		['signed four minutes after the first', { signedAt: SIGNED_AT + 240 }, 0],
		['signed before the first, and late', { signedAt: SIGNED_AT - 240 }, 0],
		['signed five minutes after: replayed by hand', { signedAt: SIGNED_AT + 300 }, 1],
		['out of the log, whenever', { signedAt: SIGNED_AT + 9_000, isFromLog: true }, 0],
	])('that ran, and comes again %s', async (_what, changed, expected) => {
		await runs();
		expect(await runs(changed)).toBe(expected);
		// A repetition does not put off the time from which on it counts as replayed.
		expect(await runs({ signedAt: SIGNED_AT + 300 + expected * 300 })).toBe(1);
	});

	it('that ran long ago, is given from the log again, and replayed by the trigger itself, ran once', async () => {
		const again = SIGNED_AT + 90_000;
		expect([await runs(), await runs({ signedAt: again, isFromLog: true })]).toEqual([1, 0]);
		expect(await runs({ signedAt: again + 60 })).toBe(0);
	});

	it('of another node has a memory of its own', async () => {
		await runs();
		expect(await runs({}, { in: instance.add({ events: ['document.sent'] }) })).toBe(1);
	});

	it('runs in every retry, in an execution that n8n starts again, and in every test', async () => {
		expect(await runs({}, { execution: '7' })).toBe(1);
		expect(await runs({}, { execution: '7' })).toBe(1);
		expect(await runs({}, { mode: 'retry' })).toBe(1);
		expect(await runs({}, { mode: 'manual' })).toBe(1);
		expect(await runs()).toBe(0);
	});

	it('runs again without Deduplicate when it is delivered, and from the log only if it never ran', async () => {
		workflow.node.parameters.options = { deduplicate: false };
		expect([await runs(), await runs()]).toEqual([1, 1]);
		expect(await runs({ isFromLog: true })).toBe(0);
	});

	it('runs where n8n cannot remember', async () => {
		await runs();
		memories.failure = new Error('The database is down');
		expect(await runs()).toBe(1);
	});
});

/** A process of n8n has modules of its own, and shares the database with others. */
function anotherProcess() {
	const path = '../../../nodes/ESign/trigger/delivery/runEvents';
	let own = {} as typeof RunOnce;
	jest.isolateModules(() => (own = jest.requireActual<typeof RunOnce>(path)));
	return async (id: string) => await own.hasRunBefore(contextOf(), { id, signedAt: SIGNED_AT });
}

/** What n8n gives an execution, with its memory straight from the database. */
function contextOf(): IExecuteFunctions {
	const scope = { workflow: { id: 'shared' }, node: { id: 'shared' } } as never;
	const { checkProcessedAndRecord: check, removeProcessed: remove } = memories;
	const context = {
		getMode: () => 'webhook',
		getInputData: () => [{}],
		getWorkflow: () => ({ id: 'shared' }),
		getNode: () => ({ id: 'shared' }),
		getInstanceId: () => 'n8n',
		getExecutionId: () => `${Math.random()}`,
		getNodeParameter: (_name: string, _index: number, fallback: unknown) => fallback,
		helpers: {
			checkProcessedAndRecord: async (values: string[], kind: 'node', options: never) =>
				await check.call(memories, values, kind, scope, options),
			removeProcessed: async (values: string[], kind: 'node') =>
				await remove.call(memories, values, kind, scope),
		},
	};
	return context as unknown as IExecuteFunctions;
}

it('Two processes that are given the same events at the same moment run each once', async () => {
	// A busy process may stand still between reading and writing.
	let calls = 0;
	memories.pause = async () => {
		const ms = ++calls === 15 ? 600 : Math.random() * 5;
		await new Promise((resolve) => setTimeout(resolve, ms));
	};
	const processes = [anotherProcess(), anotherProcess()];
	const ids = Array.from({ length: 20 }, (_, n) => `evt_shared_${n}`);
	const repeated = await Promise.all(
		ids.map(async (id) => await Promise.all(processes.map(async (process) => await process(id)))),
	);
	expect(repeated.map((each) => each.filter((one) => !one).length)).toEqual(ids.map(() => 1));
}, 30_000);
