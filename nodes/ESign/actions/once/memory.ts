import { randomUUID } from 'crypto';
import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { leftBy, nameItem, originOf } from '../../transport';
import { askedFor, isSame, isTool } from './asked';
import { digest } from './fingerprint';
import { forget, memoryOf, remember, tellDone, type Memory, type Progress } from './kept';
import type { ItemOperation, Operation } from '../operation';

/** The items that a run of the node is at, or has been. */
type RunItems = Map<number, Progress>;

const runs = new WeakMap<IExecuteFunctions, RunItems>();

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
		forget(this.context, this.items);
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
