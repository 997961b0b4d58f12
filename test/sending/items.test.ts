import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';
import type { ItemOperation, WholeOperation } from '../../nodes/ESign/operation/operation';
import { runOf, type ItemTry } from '../../nodes/ESign/client/run';
import { Item } from '../../nodes/ESign/operation/parameters/item';
import { Items } from '../../nodes/ESign/sending/items';
import { lineOf, type Line } from '../../nodes/ESign/sending/line';
import { scriptedItem } from '../actions/support/scriptedItem';

const CREATE = 'POST /documents';
const REMIND = 'POST /documents/{id}/remind';
const SENT = { id: 'doc_1', status: 'in_progress' };
const SHARED = { ...SENT, already_existed: true };

/** What is other than usual in the context of a try. */
type Changed = Partial<Record<keyof IExecuteFunctions, unknown>>;
const FIRST: Changed = {};
const RETRY: Changed = { getMode: () => 'retry' };
const TOOL: Changed = { isToolExecution: () => true };
const node = (changed: Partial<INode>): Changed => ({
	getNode: () => ({
		name: 'eSign',
		parameters: { title: "{{ $fromAI('title') }} {{ $vars.year }}" },
		...changed,
	}),
});
const RETRY_ON_FAIL = node({ retryOnFail: true });
const values = (changed: IDataObject): Changed => ({
	evaluateExpression: (text: string) => ({ '{{ $runIndex }}': 0, ...changed })[text],
});
const SECOND_RUN = values({ '{{ $runIndex }}': 1 });
const SAID = values({ "{{ $fromAI('title') }}": 'U' });
const ROW = { getInputData: () => [{}, { json: { n: 1 } }] };
const ran = (n: number, name = 'Sheet'): Changed => {
	const runData = { [name]: [{ data: { main: [[{ json: { n } }]] } }, {}] };
	const getParentNodes = () => [{ name: 'eSign' }, { name: 'Sheet' }];
	return {
		getParentNodes,
		getWorkflow: () => ({}),
		runExecutionData: { resultData: { runData } },
	} as Changed;
};
const NEXT_YEAR = values({ '{{ JSON.stringify($vars) }}': '{"year":2}' });

/**
 * Tries an item in one execution. n8n saves `flow` with the execution, and `node` with a node of it
 * that has failed.
 */
function execution(endpoint: string, output: object = SENT) {
	const { item, hints } = scriptedItem({});
	const saved: { flow: { eSign?: Line }; node: IDataObject } = { flow: {}, node: {} };
	const tries: Array<ItemTry | undefined> = [];
	const execute = async ({ context, index }: Item) => {
		tries.push(runOf(context).tryOf(index));
		return await Promise.resolve(output);
	};
	const operation = { option: { value: 'create' }, endpoint, execute } as unknown as ItemOperation;
	const tryOnce = async (...changed: Changed[]) => {
		const getInputData = () => [{}, { json: {} }];
		const usual = {
			...node({}),
			...values({}),
			getContext: (name: 'flow' | 'node') => saved[name],
			getInputData,
		};
		const context = Object.assign({}, item.context, usual, ...changed) as IExecuteFunctions;
		const run = new Items(context);
		const outputs = await run.run(operation, [new Item(context, 1)]);
		return { run, outputs, line: lineOf(context) };
	};
	return { saved, hints, tries, tryOnce };
}

it.each<[string, Changed, boolean, number]>([
	['forgotten when the run is through', FIRST, false, 2],
	['forgotten when the run is through, with Retry On Fail', RETRY_ON_FAIL, false, 2],
	['forgotten when an item has failed and nobody tries it again', FIRST, true, 2],
	['kept when an item has failed, with Retry On Fail', RETRY_ON_FAIL, true, 1],
	[
		'known to the process when a retry is through: its first execution may be retried again',
		RETRY,
		false,
		1,
	],
])('What an item has done is %s', async (_, changed, hasFailed, times) => {
	const { saved, tries, tryOnce } = execution(REMIND, { reminded: 1 });
	const { run } = await tryOnce(changed);
	run.end(hasFailed);
	expect('eSign' in saved.node).toBe(hasFailed && changed === RETRY_ON_FAIL);
	await tryOnce(changed);
	expect(tries).toHaveLength(times);
});

it.each<[string, Changed, object, string[]]>([
	['a document that was sent by its ID', RETRY, SENT, ['1 document was already sent .*: doc_1. ']],
	[
		'another item by its ID',
		RETRY,
		{ id: 'doc_1' },
		['1 item was already carried out .*: doc_1. '],
	],
	[
		'an item without an ID by its number',
		RETRY,
		{},
		['1 item was already carried out .*: item 1. '],
	],
	[
		'an item of which nothing comes out by its number',
		RETRY,
		[],
		['1 item was already carried out .*: item 1. '],
	],
	['nothing where n8n itself tries again', FIRST, SENT, []],
])('The hint of what is done already names %s', async (_, changed, output, told) => {
	const { saved, hints, tries, tryOnce } = execution(REMIND, output);
	await tryOnce(changed);
	if (changed === RETRY) saved.node = {};
	expect(hints).toEqual([]);
	await tryOnce(changed);
	expect(tries).toHaveLength(1);
	expect(hints).toEqual(told.map((words) => expect.stringMatching(`^${words}`)));
});

it.each<[string, string, object, string[], number, string[]]>([
	['comes out', CREATE, SENT, [], 1, ['doc_1']],
	['is done anew where an equal row has the document', CREATE, SENT, ['doc_1'], 2, ['doc_1']],
	[
		'comes out where Skip If Created has made two rows one',
		CREATE,
		SHARED,
		['doc_1'],
		1,
		['doc_1'],
	],
	['comes out where it is not the making of a document', REMIND, SENT, ['doc_1'], 1, []],
])(
	'What only the process knows %s, and the line is told what was made',
	async (_, endpoint, output, ids, times, made) => {
		const { saved, tries, tryOnce } = execution(endpoint, output);
		const { line } = await tryOnce(RETRY);
		saved.node = {};
		Object.assign(line, { ids, made: [] });
		await tryOnce(RETRY);
		expect(tries).toHaveLength(times);
		expect(line.made.map(([id]) => id)).toEqual(made);
	},
);

it.each<[string, string, Changed, number, string[]]>([
	['a retry makes a document once', CREATE, RETRY, 1, ['doc_1']],
	['a first execution makes a document that no retry has made', CREATE, FIRST, 1, []],
	['a model makes as many as it asks for', CREATE, TOOL, 2, []],
	['a reading is none, and is done each time', 'GET /documents', RETRY, 2, []],
])('However often it is tried, %s', async (_, endpoint, changed, times, made) => {
	const { saved, tries, tryOnce } = execution(endpoint);
	await tryOnce(changed);
	const { line, run, outputs } = await tryOnce(changed);
	expect(outputs).toEqual([[{ json: SENT }]]);
	expect(tries).toHaveLength(times);
	expect(line.made.map(([id]) => id)).toEqual(made);
	// What is kept counts in what is told of a run that ends there.
	expect('eSign' in saved.node).toBe(times === 1);
	expect(run.progress()).toMatch(times === 1 ? /^1 of 2 documents were sent\. / : /^$/);
});

it('An operation that takes all items as one puts out what it makes of each', async () => {
	const items = [1, 2] as unknown as [Item, Item];
	const whole = {
		executeAll: async (all: unknown) => await Promise.resolve(all),
	} as unknown as WholeOperation;
	await expect(new Items({} as IExecuteFunctions).run(whole, items)).resolves.toBe(items);
});

it.each<[string, Changed, Changed, Array<keyof ItemTry>]>([
	['a second run of the node', FIRST, SECOND_RUN, ['item', 'run']],
	['a second run of a tool', TOOL, SECOND_RUN, []],
	['other words of a model for its tool', TOOL, SAID, ['item']],
	['other words of a model for another node', FIRST, SAID, []],
	[
		'another item of an agent',
		TOOL,
		values({ '{{ JSON.stringify($json) }}': '{"n":2}' }),
		['item'],
	],
	['other data', ROW, { getInputData: () => [{}, { json: { n: 2 } }] }, ['item']],
	['other data of the nodes before, where it has none,', FIRST, ran(2), ['raw']],
	['a run of its own', ran(1, 'none'), ran(2, 'eSign'), []],
	['other data of the nodes before, where it has its own,', ROW, ran(2), []],
	['another title in the node', FIRST, node({ parameters: { title: 'U' } }), ['raw']],
	['another variable', FIRST, NEXT_YEAR, ['raw']],
	['another variable that nothing names', node({ parameters: {} }), NEXT_YEAR, []],
])(
	'With %s a try differs from the one before in what tells them apart',
	async (_, both, changed, different) => {
		const { saved, tries, tryOnce } = execution(CREATE);
		await tryOnce(ran(1), both);
		// It is done again: within one execution the process gives no document twice.
		saved.node = {};
		await tryOnce(ran(1), both, changed);
		const [one, other] = tries;
		const parts = ['line', 'item', 'run', 'raw'] as const;
		expect(parts.filter((part) => one?.[part] !== other?.[part])).toEqual(different);
	},
);
