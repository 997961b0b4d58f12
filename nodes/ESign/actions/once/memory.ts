import { randomUUID } from 'crypto';
import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { isCreationInDoubt, leftBy, nameItem, originOf } from '../../transport';
import { askedFor, isSame, isTool } from './asked';
import { digest } from './fingerprint';
import { forget, memoryOf, noteFailure, remember, tellDone, type Memory, type Progress, type Told } from './kept';
import type { ItemOperation, Operation } from '../operation';

/** The items that a run of the node is at, or has been. */
type RunItems = Map<number, Progress>;

const runs = new WeakMap<IExecuteFunctions, RunItems>();

/** What is being executed: one request of an item at a time, and each call of a model. */
const underWay = new Map<string, Promise<unknown>>();

/** When somebody was told in this process. Who has asked before that has not seen it. */
const toldAt = new WeakMap<Told, number>();

/** By what is kept in an execution. */
const begun = new WeakMap<object, number>();

/** Runs the operations of one run of the node, returning what an earlier try of the same run has already done. */
export class RetryMemory {
	private readonly items: RunItems = new Map();

	/** When the execution first came to this node: its tries have that in common. */
	private readonly began: number;

	constructor(private readonly context: IExecuteFunctions) {
		runs.set(context, this.items);
		const kept: object = context.getContext('node');
		this.began = begun.get(kept) ?? performance.now();
		begun.set(kept, this.began);
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
		const execution = this.goOn(operation, item, memory, itemIndex, origin.key);
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
		key: string,
	): Promise<INodeExecutionData[]> {
		// A call of a tool with other values is another call.
		const done = isTool(this.context) ? undefined : await this.settle(item, memory, itemIndex, key);
		Object.assign(item, { key, told: undefined });
		const { output } = done ?? item;
		if (output) return structuredClone(output);
		try {
			const made = await operation.execute.call(this.context, itemIndex);
			item.output = structuredClone(made);
			return made;
		} finally {
			item.inDoubt = isCreationInDoubt(item.name);
		}
	}

	/** Notes that an item has failed. */
	failed(itemIndex: number): void {
		const item = this.items.get(itemIndex);
		if (item) item.failures += 1;
		noteFailure(this.context);
	}

	/** Forgets the run: it is through, nothing is left to retry. */
	clear(): void {
		forget(this.context, this.items);
	}

	/**
	 * What an earlier try of the same request has come to, or a new beginning. The documents of the test mode are nothing to a
	 * live key.
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
			if (item.place !== place || item.operation !== operation || (isTool(this.context) && underWay.has(item.name)))
				return false;
			return isSame(item.asked, asked, item.input === input && this.isRetryOf(item));
		});
		const item = earlier ?? { name: randomUUID(), key, place, operation, input, asked, failures: 0, steps: {} };
		if (!earlier) known.push(item);
		this.items.set(itemIndex, item);
		nameItem(this.context, itemIndex, item.name);
		return item;
	}

	/**
	 * Makes sure that a person knows what was done or left at the service for the item, before it goes on otherwise: as it was
	 * corrected, with another key, or where nobody can look for it. Nobody changes parameters within an execution, so whoever was
	 * told and runs it once more wants that; but not again what is done: people retry for the items that are not.
	 *
	 * @returns the request that is done, if the item was carried out already
	 * @throws NodeOperationError that names what is there
	 * @throws NodeApiError if it cannot be told
	 */
	private async settle(item: Progress, memory: Memory, itemIndex: number, key: string): Promise<Progress | undefined> {
		let done: Progress | undefined;
		for (const other of [...(memory.items[itemIndex] ?? [])]) {
			if (other.place !== item.place || other.input !== item.input) continue;
			const isUnknown = other.inDoubt === true && !isCreationInDoubt(other.name);
			if (other === item && other.key === key && !isUnknown) continue;
			const isDone = other.output !== undefined && other.operation === item.operation;
			if (!this.wasTold(other.told)) {
				const execution = String(this.context.getExecutionId());
				const left = other.told?.left ?? (other.output ? '' : await this.leftOf(other, isUnknown, itemIndex));
				const told = other.output ? tellDone(memory, item.place, execution) : { execution, left };
				if (told.left === '') continue;
				// Nobody sees the error of an execution that was stopped.
				other.told = this.context.getExecutionCancelSignal()?.aborted ? undefined : told;
				toldAt.set(told, performance.now());
				const what =
					other === item ? 'answer to an earlier try was lost' : 'parameters were changed since an earlier try';
				throw this.asChanged(
					`The ${other.key === key ? what : 'API key was changed since an earlier try'}: ${told.left}`,
					isDone ? 'done' : other !== item ? 'another' : isUnknown ? 'unknown' : 'begun',
					itemIndex,
				);
			}
			if (isDone) done = other;
		}
		return done;
	}

	private wasTold(told: Told | undefined): boolean {
		if (!told || told.execution === String(this.context.getExecutionId())) return false;
		return (toldAt.get(told) ?? -Infinity) < this.began;
	}

	/** What a request has left that is not done, in words. */
	private async leftOf(other: Progress, isUnknown: boolean, itemIndex: number): Promise<string> {
		const { name, made } = other;
		const left = await leftBy(this.context, name, itemIndex);
		if (made !== undefined) left.unshift(made);
		if (isUnknown)
			left.push(
				'whether it has created anything is not known, because n8n was started anew, or it was sent by another worker.',
			);
		else other.inDoubt = isCreationInDoubt(name);
		return left.join(' ');
	}

	private asChanged(
		message: string,
		what: 'done' | 'another' | 'unknown' | 'begun',
		itemIndex: number,
	): NodeOperationError {
		// n8n takes an execution for a success that goes on after an error, and offers no retry.
		const isKept = this.context.continueOnFail();
		const again = isKept ? 'run the workflow for this item again' : 'retry the execution again';
		const remedy = {
			done: `To keep what was carried out as it is, and go on with the other items, ${isKept ? 'run the workflow for those' : again}. To carry out all of them as they are now, cancel what is out and run the workflow anew.`,
			another: `To go on with what is there, change that back. To carry out the item as it is now as well, ${again}. Cancel a document first if it is out and not wanted.`,
			unknown: `Look at the service. If nothing is there, ${again}: the item is then carried out anew. If its document is there, set Skip If Created Within (Hours) before: the document then comes out.`,
			begun: `If the key is of the same workspace, ${again} to go on with what is there. Otherwise run the workflow anew.`,
		}[what];
		return new NodeOperationError(this.context.getNode(), message, {
			itemIndex,
			description: `Nothing was created or sent${what === 'done' ? '' : ' for this item'} in this execution. ${remedy}`,
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
