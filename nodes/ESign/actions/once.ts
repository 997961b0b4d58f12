import { createHash } from 'crypto';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { mayHaveDoneForGood } from '../transport';
import type { Operation } from './operation';

/**
 * What this node keeps in the execution (`getContext('node')`), which n8n saves with it. "Retry On Fail" runs the whole
 * node again for all items in the same execution; "Retry execution" starts a new one from the saved data of the failed
 * one. Both would send the documents of the items that had succeeded a second time.
 */
interface Memory {
	/** A node in a loop runs several times in one execution; what one run remembers is nothing to the next. */
	runIndex: number;
	/** By item index. */
	results: Record<number, { asked: string; resolved: string; output: INodeExecutionData[] }>;
	/** By item index, then by step: what a composite that failed later had already done. */
	steps: Record<number, Record<string, IDataObject>>;
}

/**
 * Failures that must not be followed by another try, by item index. Not part of what n8n saves: "Retry On Fail" goes on
 * in this process, while "Retry execution" is the decision of a person who has read the error.
 */
const doubts = new WeakMap<Memory, Map<number, NodeApiError | NodeOperationError>>();

/** Runs the operations of one run of the node, returning what an earlier try of the same run has already done. */
export class RetryMemory {
	constructor(private readonly context: IExecuteFunctions) {}

	/**
	 * The items of `operation` for one input item; executes it unless it is a `once` operation that succeeded before, or
	 * that failed in a way that forbids another try (see `failed`): then it fails so again.
	 */
	async run(operation: Operation, itemIndex: number): Promise<INodeExecutionData[]> {
		if (!operation.once) return await operation.execute.call(this.context, itemIndex);

		const memory = memoryOf(this.context, itemIndex);
		const doubt = doubts.get(memory)?.get(itemIndex);
		if (doubt) throw doubt;
		const asked = this.asked(operation, itemIndex);
		const resolved = this.resolved(operation, itemIndex);
		const known = memory.results[itemIndex];
		// Either will do. An expression such as $now resolves differently at each try; and a user who corrects an
		// expression before "Retry execution" changes what is asked, though not what it resolves to for the items done.
		if (known && (known.asked === asked || known.resolved === resolved)) return structuredClone(known.output);

		const output = await operation.execute.call(this.context, itemIndex);
		memory.results[itemIndex] = { asked, resolved, output: structuredClone(output) };
		delete memory.steps[itemIndex];
		return output;
	}

	/** Notes how an item failed, in case n8n runs the node again by itself. */
	failed(failure: NodeApiError | NodeOperationError, itemIndex: number): void {
		if (!mayHaveDoneForGood(failure)) return;
		const memory = memoryOf(this.context, itemIndex);
		const noted = doubts.get(memory) ?? new Map<number, NodeApiError | NodeOperationError>();
		doubts.set(memory, noted.set(itemIndex, failure));
	}

	/** Forgets everything: the run is through, nothing is left to retry. */
	clear(): void {
		const context: IDataObject & { memory?: Memory } = this.context.getContext('node');
		delete context.memory;
	}

	private asked({ option }: Operation, itemIndex: number): string {
		const { parameters, credentials } = this.context.getNode();
		return digest([option.value, parameters, credentials, this.context.getInputData()[itemIndex]?.json]);
	}

	private resolved({ option, description }: Operation, itemIndex: number): string {
		const { credentials, parameters } = this.context.getNode();
		const names = [...new Set(description.map(({ name }) => name))].filter((name) => name in parameters);
		const values = names.map((name) => [name, this.context.getNodeParameter(name, itemIndex, null)]);
		return digest([option.value, parameters.resource, credentials, values]);
	}
}

/**
 * A step of a composite operation that is not to be repeated when the item is tried again.
 *
 * @param step its name with everything that decides its effect, so that a changed request is a different step
 */
export async function onceInItem<Result extends object>(
	context: IExecuteFunctions,
	itemIndex: number,
	step: unknown[],
	effect: () => Promise<Result>,
): Promise<Result> {
	const steps = (memoryOf(context, itemIndex).steps[itemIndex] ??= {});
	const key = digest(step);
	if (steps[key]) return structuredClone(steps[key]) as unknown as Result;
	const result = await effect();
	steps[key] = structuredClone(result) as unknown as IDataObject;
	return result;
}

/** A fingerprint of values that JSON can hold; fit to be saved, whatever secrets went into it. */
export function digest(values: unknown[]): string {
	return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}

function memoryOf(context: IExecuteFunctions, itemIndex: number): Memory {
	const kept: IDataObject & { memory?: Memory } = context.getContext('node');
	const runIndex = context.evaluateExpression('{{ $runIndex }}', itemIndex) as unknown as number;
	if (kept.memory?.runIndex !== runIndex) kept.memory = { runIndex, results: {}, steps: {} };
	return kept.memory;
}
