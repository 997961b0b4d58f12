import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IRunExecutionData,
} from 'n8n-workflow';
import { client, fingerprint, runOf, serviceOf } from '../client';
import { isOnce, makesDocument, type ItemOperation, type Operation } from '../operation/operation';
import { DONE, isSent, progressOf, SENT } from '../operation/hints';
import { isTool, saidByModel } from '../operation/isTool';
import { outputItems } from '../operation/outputItems';
import { Item } from '../operation/parameters/item';
import { isRetry, lineOf, lines } from './line';

/**
 * What n8n saves of a node that has failed (`getContext('node')`): what its items have done, for
 * its next try.
 */
type Saved = IDataObject & { eSign?: Record<string, INodeExecutionData[]> };

/**
 * The items of one run of the node. What an item has done belongs to it: another try of it, in the
 * same execution or in one that was retried from it, puts out the same, whatever was changed since
 * (docs/architecture.md section 4).
 */
export class Items {
	/** The outputs of those that are through. */
	private readonly outputs = new Map<string, INodeExecutionData[]>();
	private before?: string;
	private isNoted = false;

	constructor(private readonly context: IExecuteFunctions) {}

	/**
	 * @returns the items of each input item: of one alone, or of all where the operation takes all as
	 * one
	 */
	async run(
		operation: Operation,
		items: readonly [Item, ...Item[]],
	): Promise<INodeExecutionData[][]> {
		if ('executeAll' in operation) return await operation.executeAll(items);
		const [item] = items;
		if (!isOnce(operation)) return [outputItems(await operation.execute(item))];
		const id = await this.idOf(operation, item);
		// Each call of a model is a request of its own: what is done is not kept, what is not through
		// is.
		if (!isTool(this.context)) return [await this.runOnce(operation, item, id)];
		const output = await this.execute(operation, item, id);
		lines.own(lineOf(this.context), id, output);
		return [output];
	}

	/** How far a run of several items has come that ends here, and how the rest is carried out. */
	progress(): string {
		return progressOf(this.context, [...this.outputs.values()]);
	}

	/**
	 * The run is through: n8n does not run it again, unless it takes a failed item for a reason to.
	 */
	end(hasFailed: boolean): void {
		if (hasFailed && this.context.getNode().retryOnFail === true) return;
		delete (this.context.getContext('node') as Saved).eSign;
	}

	private async runOnce(
		operation: ItemOperation,
		item: Item,
		id: string,
	): Promise<INodeExecutionData[]> {
		const { context } = this;
		if (isRetry(context)) await this.noteRows(operation);
		return await lines.oneAtATime.run(id, client.settings.clock, {}, async () => {
			const done = ((context.getContext('node') as Saved).eSign ??= {});
			const place = fingerprint([id, this.dataOf(item)]);
			const before = done[id] ?? this.knownOf(operation, place);
			const output = structuredClone(before ?? (await this.execute(operation, item, id)));
			const line = lineOf(context);
			lines.own(line, id, output);
			const made = String(output[0]?.json.id);
			if (isRetry(context) && !done[id] && makesDocument(operation))
				line.made.push([made, lines.ownerById.get(made)]);
			done[id] = output;
			lines.outputs.set(place, output);
			this.outputs.set(id, output);
			if (before && isRetry(context)) {
				const name = String(output[0]?.json.id ?? `item ${item.index}`);
				runOf(context).hintAt(isSent(output) ? SENT : DONE, name, 'info');
			}
			return structuredClone(output);
		});
	}

	private async noteRows(operation: ItemOperation): Promise<void> {
		const { context, isNoted } = this;
		if (isNoted) return;
		this.isNoted = true;
		const { execution } = runOf(context);
		const rows = lines.rows.get(execution) ?? new Set();
		lines.rows.set(execution, rows);
		const items = context.getInputData().map((_, index) => new Item(context, index));
		for (const item of items) if (hasData(item)) rows.add(await this.idOf(operation, item));
	}

	/**
	 * What this process knows. On another worker an equal row of this execution may have come out
	 * with the same document.
	 */
	private knownOf(operation: ItemOperation, place: string): INodeExecutionData[] | undefined {
		const known = isRetry(this.context) ? lines.outputs.get(place) : undefined;
		const { id: made, already_existed: isShared } = known?.[0]?.json ?? {};
		if (!makesDocument(operation) || isShared === true) return known;
		return lineOf(this.context).ids.includes(String(made)) ? undefined : known;
	}

	private async execute(
		operation: ItemOperation,
		item: Item,
		id: string,
	): Promise<INodeExecutionData[]> {
		const { name, parameters } = this.context.getNode();
		const raw = fingerprint([parameters, variablesIn(item), this.dataOf(item)]);
		const { id: line, ids, unfinished: saved } = lineOf(this.context);
		const run = isTool(this.context) ? undefined : fingerprint([line, name, runIndexOf(item)]);
		runOf(this.context).beginTry(item.index, { line, item: id, run, raw, ids, saved });
		return outputItems(await operation.execute(item));
	}

	/**
	 * Where an item has no data of its own, its file or what its parameters refer to comes of what
	 * the nodes before put out.
	 */
	private dataOf({ input }: Item): string | undefined {
		const { context } = this;
		if (isTool(context) || hasData({ input }) || !('runExecutionData' in context)) return undefined;
		if (this.before !== undefined) return this.before;
		const { runData } = (context.runExecutionData as IRunExecutionData).resultData;
		const own = context.getNode().name;
		const outputsOf = (name: string) =>
			runData[name]?.flatMap(({ data }) => data?.main ?? []) ?? [];
		const jsonOf = (name: string) => outputsOf(name).map((items) => items?.map(({ json }) => json));
		const names = context
			.getParentNodes(own)
			.map(({ name }) => name)
			.filter((name) => name !== own);
		return (this.before = fingerprint(names.map((name) => [name, jsonOf(name)])));
	}

	/** An item is its place, its data, its operation and the workspace and mode of the key. */
	private async idOf({ option }: ItemOperation, item: Item): Promise<string> {
		const { name, parameters } = this.context.getNode();
		return fingerprint([
			lineOf(this.context).id,
			name,
			// As a tool each try has a run index of its own.
			isTool(this.context) ? [parameters, saidByModel(item)] : [runIndexOf(item), item.index],
			item.input.json,
			parameters.resource,
			option.value,
			(await serviceOf(this.context)).workspaceMode,
		]);
	}
}

const hasData = ({ input }: Pick<Item, 'input'>) => Object.keys(Object(input.json)).length > 0;

function runIndexOf({ context, index }: Item): number {
	return context.evaluateExpression('{{ $runIndex }}', index) as unknown as number;
}

/** The variables of n8n, where the parameters name any: they are corrected apart from the node. */
function variablesIn({ context, index }: Item): unknown {
	const isNamed = JSON.stringify(context.getNode().parameters).includes('$vars');
	return isNamed && context.evaluateExpression('{{ JSON.stringify($vars) }}', index);
}
