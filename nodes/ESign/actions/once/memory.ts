import { randomUUID } from 'crypto';
import { NodeOperationError, type IDataObject, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { forgetOldest, leftBy, nameItem, originOf } from '../../transport';
import { askedFor, isSame, isTool, type Asked } from './asked';
import { digest } from './fingerprint';
import type { ItemOperation, Operation } from '../operation';

/**
 * What one request of an item has come to so far, over all tries. An item whose parameters were corrected between two tries is
 * another request.
 */
interface Progress {
	/** Under this name the transport remembers the calls of the request that are in doubt. */
	name: string;
	key: string;
	/** Base URL and mode. */
	place: string;
	/** Resource and operation. */
	operation: string;
	/** The data of the item. */
	input: string;
	asked: Asked;
	/** How many tries have failed. */
	failures: number;
	/** What a composite operation has done already, by step. */
	steps: Record<string, IDataObject>;
	/** What the steps have made, in words: it stays at the service if the item is corrected. */
	made?: string;
	/** What is left of it while something else is asked for, in words, and the execution that was told of it. */
	told?: { execution: string; left: string };
	output?: INodeExecutionData[];
}

/**
 * What this node keeps in the execution (`getContext('node')`), which n8n saves with it. "Retry On Fail" runs the whole
 * node again for all items in the same execution; "Retry execution" starts a new one from the saved data of the failed
 * one. Both would send the documents of the items that had succeeded a second time.
 */
interface Memory {
	/** The same in all executions that were retried from one. */
	id: string;
	/** A node in a loop runs several times in one execution; what one run remembers is nothing to the next. */
	run: number | 'tool';
	/** By item index. As a tool, each call of a model is a request: there may be several that have failed. */
	items: Record<number, Progress[]>;
}

/** The items that a run of the node is at, or has been. */
type RunItems = Map<number, Progress>;

const runs = new WeakMap<IExecuteFunctions, RunItems>();

/** Runs of the node that are remembered apart from their executions. */
const MOST_RUNS = 50;

/** So many documents that are done are named in an error. */
const MOST_NAMED = 10;

/**
 * What runs have come to that failed and were retried, by id. A person may retry an older execution again, whose saved data
 * knows nothing of what its retries have done. One process knows it.
 */
const recent = new Map<string, Memory>();

/** What is being executed: one request of an item at a time, and each call of a model. */
const underWay = new Map<string, Promise<unknown>>();

/** Runs the operations of one run of the node, returning what an earlier try of the same run has already done. */
export class RetryMemory {
	private readonly items: RunItems = new Map();

	constructor(private readonly context: IExecuteFunctions) {
		runs.set(context, this.items);
	}

	/**
	 * The items of `operation` for one input item. A `once` operation that succeeded in an earlier try is not executed again,
	 * and one that failed goes on where it ended.
	 *
	 * @returns the items of each input item: of this one alone, or of all where the operation takes all as one
	 */
	async run(operation: Operation, itemIndex: number): Promise<INodeExecutionData[][]> {
		if ('executeAll' in operation) return await operation.executeAll.call(this.context);
		return [await this.runItem(operation, itemIndex)];
	}

	private async runItem(operation: ItemOperation, itemIndex: number): Promise<INodeExecutionData[]> {
		if (!operation.once) return await operation.execute.call(this.context, itemIndex);
		const origin = await originOf(this.context);
		let memory = memoryOf(this.context, itemIndex);
		const ofItem = `${memory.id} ${itemIndex}`;
		// A failed execution may be retried twice at once: the one that comes second goes on from what the first comes to.
		while (underWay.has(ofItem) && !isTool(this.context)) {
			await underWay.get(ofItem);
			memory = memoryOf(this.context, itemIndex);
		}
		const item = this.progressOf(operation, itemIndex, origin, (memory.items[itemIndex] ??= []));
		const turn = isTool(this.context) ? item.name : ofItem;
		const execution = this.goOn(operation, item, memory, itemIndex);
		const over = () => undefined;
		underWay.set(turn, execution.then(over, over));
		try {
			return await execution;
		} finally {
			remember(memory);
			underWay.delete(turn);
		}
	}

	private async goOn(
		operation: ItemOperation,
		item: Progress,
		memory: Memory,
		itemIndex: number,
	): Promise<INodeExecutionData[]> {
		// A call of a tool with other values is another call.
		const { output } = (!isTool(this.context) && (await this.settleOthers(item, memory, itemIndex))) || item;
		if (output) return structuredClone(output);
		const made = await operation.execute.call(this.context, itemIndex);
		item.output = structuredClone(made);
		return made;
	}

	/** Notes that an item has failed. */
	failed(itemIndex: number): void {
		const item = this.items.get(itemIndex);
		if (item) item.failures += 1;
	}

	/** Forgets the run: it is through, nothing is left to retry. */
	clear(): void {
		const kept: IDataObject & { memory?: Memory } = this.context.getContext('node');
		if (!kept.memory) return;
		const { id, items } = kept.memory;
		const isRetried = Object.values(items).some((all) => all.some(({ failures }) => failures > 0));
		if (isTool(this.context)) {
			for (const [itemIndex, { name: done }] of this.items) {
				items[itemIndex] = (items[itemIndex] ?? []).filter(({ name }) => name !== done);
			}
			if (Object.values(items).some((all) => all.length > 0)) return;
		}
		delete kept.memory;
		if (!isRetried) recent.delete(id);
	}

	/**
	 * What an earlier try of the same request has come to, or a new beginning. What was done with one key is nothing to another:
	 * the documents of the test mode are not those of the live mode.
	 */
	private progressOf(
		{ option, description }: Operation,
		itemIndex: number,
		{ key, place }: Pick<Progress, 'key' | 'place'>,
		known: Progress[],
	): Progress {
		const { parameters } = this.context.getNode();
		const operation = digest([parameters.resource, option.value]);
		const input = digest([this.context.getInputData()[itemIndex]?.json]);
		const asked = askedFor(this.context, description, itemIndex);
		const earlier = known.find((item) => {
			// A model may make the same call twice at once: those are two items.
			if (item.key !== key || item.operation !== operation || (isTool(this.context) && underWay.has(item.name)))
				return false;
			return isSame(item.asked, asked, item.input === input && this.isRetryOf(item));
		});
		const item = earlier ?? { name: randomUUID(), key, place, operation, input, asked, failures: 0, steps: {} };
		if (!earlier) known.push(item);
		delete item.told;
		this.items.set(itemIndex, item);
		nameItem(this.context, itemIndex, item.name);
		return item;
	}

	/**
	 * Makes sure that a person knows what other requests of the item have done or left at the service, before this one goes on:
	 * nobody changes parameters within an execution, so it is a correction before "Retry execution". Whoever was told and runs it
	 * once more wants this one as well, but not of an item that is done: people retry for those that are not.
	 *
	 * @returns the request that is done, if the item was carried out already
	 * @throws NodeOperationError that names what is there
	 * @throws NodeApiError if it cannot be told
	 */
	private async settleOthers(item: Progress, memory: Memory, itemIndex: number): Promise<Progress | undefined> {
		const execution = String(this.context.getExecutionId());
		for (const other of memory.items[itemIndex] ?? []) {
			if (other === item || other.place !== item.place || other.input !== item.input) continue;
			const isDone = other.output !== undefined && other.operation === item.operation;
			if (!other.told || other.told.execution === execution) {
				const left =
					other.told?.left ?? (other.output ? tellDone(memory, execution) : await this.leftOf(other, itemIndex));
				if (left === '') continue;
				other.told = { execution, left };
				throw this.changedSince(item.key === other.key ? 'parameters were' : 'API key was', left, isDone, itemIndex);
			}
			if (isDone) return other;
		}
		return undefined;
	}

	/** What a request has left that is not done, in words. */
	private async leftOf({ name, made }: Progress, itemIndex: number): Promise<string> {
		const left = await leftBy(this.context, name, itemIndex);
		return [...(made === undefined ? [] : [made]), ...left].join(' ');
	}

	private changedSince(what: string, left: string, isDone: boolean, itemIndex: number): NodeOperationError {
		// n8n takes an execution for a success that goes on after an error, and offers no retry.
		const again =
			this.context.continueOnFail() && !isDone ? 'run the workflow for this item again' : 'retry the execution again';
		const remedy = isDone
			? `To keep what was carried out and go on with the other items, ${again}. To carry out all of them as they are now, run the workflow anew.`
			: `To go on with what is there, change that back. To carry out the item as it is now as well, ${again}.`;
		return new NodeOperationError(this.context.getNode(), `The ${what} changed since an earlier try: ${left}`, {
			itemIndex,
			description: `Nothing was created or sent for this item in this execution. ${remedy} Cancel a document first if it is out and not wanted.`,
		});
	}

	/**
	 * Whether parameters that stand in the node as they did mean another try of that request, though they resolve to something
	 * else: `$now` does so at each try. Within one run they do. Two calls of a tool may have the same parameters too, but while
	 * n8n has tries left for a call that has failed, the next call is one of them.
	 */
	private isRetryOf({ failures }: Progress): boolean {
		if (!isTool(this.context)) return true;
		const { retryOnFail, maxTries = 3 } = this.context.getNode();
		return retryOnFail === true && !this.context.continueOnFail() && failures < Math.min(5, Math.max(2, maxTries));
	}
}

/** The request of an item that is being executed; undefined where an operation is not remembered. */
export function requestAt(context: IExecuteFunctions, itemIndex: number): Pick<Progress, 'steps' | 'made'> | undefined {
	return runs.get(context)?.get(itemIndex);
}

function memoryOf(context: IExecuteFunctions, itemIndex: number): Memory {
	const kept: IDataObject & { memory?: Memory } = context.getContext('node');
	const run = isTool(context)
		? 'tool'
		: (context.evaluateExpression('{{ $runIndex }}', itemIndex) as unknown as number);
	if (kept.memory?.run !== run) return (kept.memory = { id: randomUUID(), run, items: {} });
	return (kept.memory = remember(recent.get(kept.memory.id) ?? kept.memory));
}

function remember(memory: Memory): Memory {
	recent.delete(memory.id);
	recent.set(memory.id, memory);
	forgetOldest(recent, MOST_RUNS);
	return memory;
}

/** What items are done, in words: all of them, so that a person is told once. */
function tellDone({ items }: Memory, execution: string): string {
	const done = Object.values(items).flatMap((all) => all.filter(({ output }) => output !== undefined));
	const ids = done.map(({ output }) => output?.[0]?.json.id).filter((id) => typeof id === 'string');
	const more = ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : '';
	const named = ids.length === 0 ? '' : ` (${ids.slice(0, MOST_NAMED).join(', ')}${more})`;
	const left = `${done.length} ${done.length === 1 ? 'item was' : 'items were'} carried out${named}.`;
	for (const one of done) one.told ??= { execution, left };
	return left;
}
