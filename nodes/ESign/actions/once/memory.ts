import { randomUUID } from 'crypto';
import { NodeOperationError, type IDataObject, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { forgetOldest, keyIdOf, leftBy, nameItem } from '../../transport';
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

/**
 * What runs have come to that failed and were retried, by id. A person may retry an older execution again, whose saved data
 * knows nothing of what its retries have done. One process knows it.
 */
const recent = new Map<string, Memory>();

/** The items that are being executed, by name, with what they come to. */
const underWay = new Map<string, Promise<Progress>>();

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
		const key = await keyIdOf(this.context);
		const known = (memoryOf(this.context, itemIndex).items[itemIndex] ??= []);
		const item = this.progressOf(operation, itemIndex, key, known);
		// A call of a tool with other values is another call.
		if (!isTool(this.context)) await this.settleOthers(item, known, itemIndex);
		// A failed execution may be retried twice at once: the one that comes second goes on from what the first comes to.
		while (underWay.has(item.name)) Object.assign(item, structuredClone(await underWay.get(item.name)));
		if (item.output) return structuredClone(item.output);
		const execution = operation.execute.call(this.context, itemIndex).then((output) => {
			item.output = structuredClone(output);
			return output;
		});
		const over = () => item;
		underWay.set(item.name, execution.then(over, over));
		try {
			return await execution;
		} finally {
			underWay.delete(item.name);
		}
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
	private progressOf({ option, description }: Operation, itemIndex: number, key: string, known: Progress[]): Progress {
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
		const item = earlier ?? { name: randomUUID(), key, operation, input, asked, failures: 0, steps: {} };
		if (!earlier) known.push(item);
		delete item.told;
		this.items.set(itemIndex, item);
		nameItem(this.context, itemIndex, item.name);
		return item;
	}

	/**
	 * Makes sure that a person knows what other requests of the item have left at the service, before this one goes on: nobody
	 * changes parameters within an execution, so it is a correction before "Retry execution". Whoever was told and runs it once
	 * more wants this one as well.
	 *
	 * @throws NodeOperationError that names what is left
	 * @throws NodeApiError if it cannot be told
	 */
	private async settleOthers(item: Progress, known: readonly Progress[], itemIndex: number): Promise<void> {
		const execution = String(this.context.getExecutionId());
		for (const other of known) {
			const { name, key, input, output } = other;
			if (name === item.name || key !== item.key || input !== item.input || output) continue;
			// Retried as it was at the same time: that says what it leaves.
			if ((await underWay.get(name))?.output) continue;
			if (other.told && other.told.execution !== execution) continue;
			if (!other.told) {
				const left = await leftBy(this.context, name, itemIndex);
				if (other.made) left.unshift(other.made);
				if (left.length === 0) continue;
				other.told = { execution, left: left.join(' ') };
			}
			throw this.correctedSince(other.told.left, itemIndex);
		}
	}

	private correctedSince(left: string, itemIndex: number): NodeOperationError {
		// n8n takes an execution for a success that goes on after an error, and offers no retry.
		const again = this.context.continueOnFail() ? 'run the workflow for this item again' : 'retry the execution again';
		return new NodeOperationError(this.context.getNode(), `The parameters were changed since an earlier try: ${left}`, {
			itemIndex,
			description: `Nothing was created or sent for this item in this execution. To go on with what is there, change the parameters back. To carry out what they say now as well, ${again}. Cancel a document first if it is out and not wanted.`,
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
	const memory = recent.get(kept.memory.id) ?? kept.memory;
	recent.delete(memory.id);
	recent.set(memory.id, memory);
	forgetOldest(recent, MOST_RUNS);
	return (kept.memory = memory);
}
