import { nodeMemories } from '../support/n8nCore/nodeMemory';
import { client } from '../../nodes/ESign/client';
import { NodeMemory } from '../../nodes/ESign/sending/known/nodeMemory';
import { askWithoutPauses, scriptedItem } from '../actions/support/scriptedItem';

askWithoutPauses();

const memories = nodeMemories();

beforeAll(() => {
	const clock = { now: () => Date.now(), sleep: async () => await Promise.resolve() };
	Object.assign(client.settings, { clock });
});
beforeEach(() => memories.clear());

/** A node of a workflow of its own, with so many items. */
function contextOf(items = 1) {
	const { context } = scriptedItem({}).item;
	return Object.assign(context, { getInputData: () => Array(items).fill({ json: {} }) });
}

const entries = (count: number) => Array.from({ length: count }, (_, index) => `entry ${index}`);
const allOf = (count: number, known: boolean) => Array<boolean>(count).fill(known);

afterEach(() => jest.restoreAllMocks());

it('Says of each entry whether it was there, and forgets what it is to forget', async () => {
	const memory = new NodeMemory(contextOf());
	await expect(memory.record('a', 'b')).resolves.toEqual([false, false]);
	await expect(memory.record('b', 'c')).resolves.toEqual([true, false]);
	await memory.forget('b');
	await expect(memory.has('a', 'b', 'c')).resolves.toEqual([true, false, true]);
	// Asking has recorded nothing.
	await expect(memory.has('b')).resolves.toEqual([false]);
	await expect(new NodeMemory(contextOf()).has('a')).resolves.toEqual([false]);
});

it('Thirty executions of one process that record at once lose nothing', async () => {
	const context = contextOf();
	const all = entries(30);
	await Promise.all(all.map(async (entry) => await new NodeMemory(context).record(entry)));
	await expect(new NodeMemory(context).has(...all)).resolves.toEqual(allOf(30, true));
});

it('Of two processes that write the first entries at once, the second tries again', async () => {
	const context = contextOf();
	const { helpers } = context;
	memories.pause = async () => {
		memories.pause = async () => await Promise.resolve();
		await helpers.checkProcessedAndRecord(['other'], 'node', { mode: 'entries', maxEntries: 9 });
	};
	await expect(new NodeMemory(context).record('own')).resolves.toEqual([false]);
	await expect(new NodeMemory(context).has('own')).resolves.toEqual([true]);
	expect(memories.size).toBe(4);
});

it('A busy database is asked again; where n8n was stopped in a question, the next one is answered', async () => {
	const memory = new NodeMemory(contextOf());
	await memory.record('a');
	const remove = jest.spyOn(memories, 'removeProcessed');
	remove.mockRejectedValueOnce(new Error('busy'));
	await expect(memory.has('a', 'b')).resolves.toEqual([true, false]);

	remove.mockRejectedValue(new Error('n8n is dead'));
	await expect(memory.has('a', 'b')).rejects.toThrow('n8n is dead');
	remove.mockRestore();
	const { size } = memories;
	await expect(memory.has('a', 'b', 'c')).resolves.toEqual([true, false, false]);
	// Half a fact may be left of the question before, and no more.
	expect(memories.size).toBe(size);
});

it.each([1, 2])('A question whose answer was lost %d times gets the right one', async (times) => {
	const memory = new NodeMemory(contextOf());
	await memory.record('a');
	const record = memories.checkProcessedAndRecord.bind(memories);
	const lossy = jest.spyOn(memories, 'checkProcessedAndRecord');
	let calls = 0;
	lossy.mockImplementation(async (...asked) => {
		const answer = await record(...asked);
		// Each part is asked for twice then.
		if (calls++ % 2 === 0 && calls < 2 * times) throw new Error('The connection broke');
		return answer;
	});
	await expect(memory.has('a', 'b')).resolves.toEqual([true, false]);
	expect(calls).toBe(times + 3);
	lossy.mockRestore();
	await expect(memory.has('a', 'b')).resolves.toEqual([true, false]);
});

it('What another process writes back of a question is not there', async () => {
	const memory = new NodeMemory(contextOf());
	const remove = memories.removeProcessed.bind(memories);
	const record = memories.checkProcessedAndRecord.bind(memories);
	jest
		.spyOn(memories, 'removeProcessed')
		.mockImplementationOnce(async (entries, scope, context) => {
			await remove(entries, scope, context);
			// It had read them before.
			await record(entries, scope, context, { mode: 'entries', maxEntries: 9 });
		});
	await expect(memory.has('a')).resolves.toEqual([false]);
	await expect(memory.has('a')).resolves.toEqual([false]);
	await expect(memory.record('a')).resolves.toEqual([false]);
});

it.each([
	['10,000 facts', 1, 10_000],
	['ten for each item of a longer run', 2_000, 20_000],
])('Keeps the last %s; what is asked for pushes nothing out', async (_, items, most) => {
	const memory = new NodeMemory(contextOf(items));
	const all = entries(most);
	await memory.record(...all);
	await expect(memory.has('x', 'y', 'entry 0')).resolves.toEqual([false, false, true]);
	await expect(memory.has(...all)).resolves.toEqual(allOf(most, true));

	await memory.record('one more');
	await expect(memory.has('entry 0', 'entry 1', 'one more')).resolves.toEqual([false, true, true]);
});

it('What another process overwrites is recorded again', async () => {
	const memory = new NodeMemory(contextOf());
	const record = memories.checkProcessedAndRecord.bind(memories);
	jest
		.spyOn(memories, 'checkProcessedAndRecord')
		.mockImplementationOnce(async (entries, scope, context, options) => {
			const answer = await record(entries, scope, context, options);
			await memories.removeProcessed(entries, scope, context);
			return answer;
		});
	await memory.recordSafely('a', 'b');
	await expect(memory.has('a', 'b')).resolves.toEqual([true, true]);
});

it('What is there already is recorded once, and nobody waits', async () => {
	const memory = new NodeMemory(contextOf());
	await memory.record('a');
	const { calls } = memories;
	const pause = jest.spyOn(client, 'pause');
	await memory.recordSafely('a');
	expect(memories.calls).toBe(calls + 1);
	expect(pause).not.toHaveBeenCalled();
});

it('What n8n throws comes through after five tries, and holds up nobody behind it', async () => {
	const memory = new NodeMemory(contextOf());
	memories.failure = new Error('The database is away');
	await expect(memory.record('a')).rejects.toBe(memories.failure);
	expect(memories.calls).toBe(5);

	let failures = 4;
	memories.failure = undefined;
	memories.pause = async () => {
		if (failures-- > 0) throw new Error('The database is busy');
		await Promise.resolve();
	};
	await expect(memory.record('a')).resolves.toEqual([false]);
});
