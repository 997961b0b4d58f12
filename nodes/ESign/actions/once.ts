import { randomUUID } from 'crypto';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { asThrown, keyIdOf, nameItem } from '../transport';
import { digest } from './fingerprint';
import type { ItemOperation, Operation } from './operation';
import { givenParameter, UnreadableParameter } from './parameters/checks/given';

/** What an item has come to so far, over all tries of it. */
interface Progress {
	/** Under this name the transport remembers the calls of the item that are in doubt. */
	name: string;
	/** What it is that was asked for: the operation, the data of the item, the key. */
	subject: string;
	/** What was asked for: by the parameters as they stand in the node, and by what they came to. */
	asked: string;
	resolved: string;
	/** How many tries have failed. */
	failures: number;
	/** What a composite operation has done already, by step. */
	steps: Record<string, IDataObject>;
	/** The execution that was told that what is there is not what is asked for now. */
	toldTo?: string;
	output?: INodeExecutionData[];
}

/**
 * What this node keeps in the execution (`getContext('node')`), which n8n saves with it. "Retry On Fail" runs the whole
 * node again for all items in the same execution; "Retry execution" starts a new one from the saved data of the failed
 * one. Both would send the documents of the items that had succeeded a second time.
 */
interface Memory {
	/** A node in a loop runs several times in one execution; what one run remembers is nothing to the next. */
	run: number | 'tool';
	/** By item index. As a tool, an item is a call of a model: there may be several that have failed. */
	items: Record<number, Progress[]>;
}

/** The items that a run of the node is at, or has been, each with what a person asks for by this try. */
type RunItems = Map<number, { item: Progress; asked: string }>;

const runs = new WeakMap<IExecuteFunctions, RunItems>();

/** The items that are being executed, by name. A model may make the same call twice at once: those are two items. */
const underWay = new Set<string>();

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
		const item = await this.progressOf(operation, itemIndex);
		if (item.output) return structuredClone(item.output);
		underWay.add(item.name);
		try {
			const output = await operation.execute.call(this.context, itemIndex);
			item.output = structuredClone(output);
			return output;
		} finally {
			underWay.delete(item.name);
		}
	}

	/** Notes that an item has failed. */
	failed(itemIndex: number): void {
		const { item } = this.items.get(itemIndex) ?? {};
		if (item) item.failures += 1;
	}

	/** Forgets the run: it is through, nothing is left to retry. */
	clear(): void {
		const kept: IDataObject & { memory?: Memory } = this.context.getContext('node');
		if (!kept.memory) return;
		const { items } = kept.memory;
		for (const [itemIndex, { item }] of this.items) {
			const others = (items[itemIndex] ?? []).filter(({ name }) => name !== item.name);
			if (others.length > 0) items[itemIndex] = others;
			else delete items[itemIndex];
		}
		if (Object.keys(items).length === 0) delete kept.memory;
	}

	/** What an earlier try of the item has come to, or a new beginning. */
	private async progressOf(operation: Operation, itemIndex: number): Promise<Progress> {
		// What was done with one key is nothing to another: the documents of the test mode are not those of the live mode.
		const keyId = await keyIdOf(this.context);
		const asked = this.asked(operation, itemIndex, keyId);
		const resolved = this.resolved(operation, itemIndex, keyId);
		const subject = this.subject(operation, itemIndex, keyId);
		const known = (memoryOf(this.context, itemIndex).items[itemIndex] ??= []);
		const free = known.filter(({ name }) => !underWay.has(name));
		const earlier =
			free.find((item) => item.resolved === resolved || (item.asked === asked && this.isRetryOf(item))) ??
			free.find((item) => item.subject === subject && this.isCorrectedBy(item));
		const item = earlier ?? { name: randomUUID(), subject, asked, resolved, failures: 0, steps: {} };
		if (!earlier) known.push(item);
		const byPerson = digest([asked, this.variables(itemIndex)]);
		this.items.set(itemIndex, { item, asked: byPerson });
		nameItem(this.context, itemIndex, { name: item.name, asked: byPerson });
		return item;
	}

	/**
	 * Whether this try is that item with other parameters. Nobody changes those within an execution: a person has corrected them
	 * before "Retry execution". What the item has begun, or may have, is not forgotten for that. A call of a tool with other
	 * values is another call.
	 */
	private isCorrectedBy({ output }: Progress): boolean {
		return output === undefined && !isTool(this.context);
	}

	/**
	 * Whether the same parameters mean another try of that item, though they resolve to something else: `$now` does so at each
	 * try. Within one run they do. Two calls of a tool may have the same parameters too, but while n8n has tries left for a
	 * call that has failed, the next call is one of them.
	 */
	private isRetryOf({ failures }: Progress): boolean {
		if (!isTool(this.context)) return true;
		const { retryOnFail, maxTries = 3 } = this.context.getNode();
		return retryOnFail === true && !this.context.continueOnFail() && failures < Math.min(5, Math.max(2, maxTries));
	}

	private subject({ option }: Operation, itemIndex: number, keyId: string): string {
		const { resource } = this.context.getNode().parameters;
		return digest([keyId, resource, option.value, this.context.getInputData()[itemIndex]?.json]);
	}

	private asked({ option }: Operation, itemIndex: number, keyId: string): string {
		const { parameters } = this.context.getNode();
		const input = this.context.getInputData()[itemIndex]?.json;
		return digest([keyId, option.value, parameters, input, this.saidByModel(itemIndex)]);
	}

	/** Variables of n8n, which are corrected apart from the node. */
	private variables(itemIndex: number): unknown {
		try {
			return this.context.evaluateExpression('{{ JSON.stringify($vars) }}', itemIndex);
		} catch (error) {
			return String(error);
		}
	}

	/** What a model gave for the parameters that are left to it: by that another call of a tool is told from another try. */
	private saidByModel(itemIndex: number): unknown[] {
		if (!isTool(this.context)) return [];
		const names = JSON.stringify(this.context.getNode().parameters).matchAll(FROM_AI);
		return Array.from(names, ([, name]) => [
			name,
			this.context.evaluateExpression(`{{ $fromAI('${name}') }}`, itemIndex),
		]);
	}

	/** What cannot be read is told with the parameter's label when the operation reads it. */
	private valueOf(name: string, itemIndex: number): unknown {
		try {
			return givenParameter(this.context, itemIndex, name).value;
		} catch (error) {
			if (error instanceof UnreadableParameter) return error.what;
			throw asThrown(error);
		}
	}

	/** Stays the same for the items that are done when a user corrects an expression before "Retry execution". */
	private resolved({ option, description }: Operation, itemIndex: number, keyId: string): string {
		const { parameters } = this.context.getNode();
		const names = [...new Set(description.map(({ name }) => name))].filter((name) => name in parameters);
		const values = names.map((name) => [name, this.valueOf(name, itemIndex)]);
		return digest([keyId, option.value, parameters.resource, values]);
	}
}

/** What an item has done by steps, and what a person asks for by this try of it. */
export function itemAt(
	context: IExecuteFunctions,
	itemIndex: number,
): { item?: Pick<Progress, 'steps' | 'toldTo'>; asked?: string } {
	return runs.get(context)?.get(itemIndex) ?? {};
}

/** A value that a model gives, by its name, in parameters as JSON. */
const FROM_AI = /\$fromAI\(\s*\\?['"`]([\w-]+)/gi;

/** As a tool, each try has a run index of its own. n8n 1.x does not always say that it is one. */
function isTool(context: IExecuteFunctions): boolean {
	return 'isToolExecution' in context && context.isToolExecution();
}

function memoryOf(context: IExecuteFunctions, itemIndex: number): Memory {
	const kept: IDataObject & { memory?: Memory } = context.getContext('node');
	const run = isTool(context)
		? 'tool'
		: (context.evaluateExpression('{{ $runIndex }}', itemIndex) as unknown as number);
	if (kept.memory?.run !== run) kept.memory = { run, items: {} };
	return kept.memory;
}
