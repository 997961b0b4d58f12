import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { runOf, serviceOf } from '../client';
import { DONE, progressOf, SENT, wasSent } from '../operation/hints';
import { isTool } from '../operation/isTool';
import { isOnce, outputItems, type ItemOperation, type Operation } from '../operation/operation';
import type { Item } from '../operation/parameters';
import { beginRun, closeRound } from './known/itemId';
import { keptOfNode } from './known/kept';
import { isRetry } from './known/line';

/**
 * The items of one run of the node. What an item has done belongs to it: another try of it, in the
 * same execution or in one that was retried from it, puts out the same, whatever was changed since
 * (docs/architecture.md section 4).
 */
export class Items {
	private readonly outputs: INodeExecutionData[][] = [];

	/** What stands for each input item: known of all before the first is carried out. */
	private ids: string[] | undefined;

	constructor(private readonly context: IExecuteFunctions) {}

	/** @returns the items of each input item: of one alone, or of all where it takes all as one */
	async run(
		operation: Operation,
		items: readonly [Item, ...Item[]],
	): Promise<INodeExecutionData[][]> {
		if ('executeAll' in operation) return await operation.executeAll(items);
		const [item] = items;
		if (!isOnce(operation)) return [outputItems(await operation.execute(item))];
		const { workspaceMode } = await serviceOf(this.context);
		const resource = String(runOf(this.context).parameters.resource);
		this.ids ??= beginRun(this.context, [resource, operation.option.value, workspaceMode]);
		item.id = this.ids[item.index] ?? '';
		return [await this.runOnce(operation, item)];
	}

	/** How far a run of several items has come that ends here, and how the rest is carried out. */
	progress(): string {
		return progressOf(this.context, this.outputs);
	}

	/**
	 * The run is through: n8n does not run it again, unless it takes a failed item for a reason to.
	 */
	end(hasFailed: boolean): void {
		if (!this.ids) return;
		const node = keptOfNode(this.context);
		const mayBeTriedAgain = hasFailed && this.context.getNode().retryOnFail === true;
		if (!mayBeTriedAgain) closeRound(node);
		else if (node.round) node.round.hasEnded = true;
	}

	private async runOnce(operation: ItemOperation, item: Item): Promise<INodeExecutionData[]> {
		const { context } = this;
		if (isTool(context)) return await this.callOnce(operation, item);
		const { done } = keptOfNode(context);
		const before = done[item.id];
		const output = before ?? outputItems(await operation.execute(item));
		done[item.id] = structuredClone(output);
		this.outputs.push(output);
		if (before && isRetry(context)) {
			const name = String(output[0]?.json.id ?? `item ${item.index}`);
			runOf(context).hintAt(wasSent(output) ? SENT : DONE, name, 'info');
		}
		return structuredClone(output);
	}

	/** Each call of a model is a request of its own, unless the one before it has failed. */
	private async callOnce(operation: ItemOperation, item: Item): Promise<INodeExecutionData[]> {
		const { here, through } = keptOfNode(this.context);
		try {
			const output = outputItems(await operation.execute(item));
			through[item.id] = true;
			return output;
		} finally {
			delete here[item.id];
		}
	}
}
