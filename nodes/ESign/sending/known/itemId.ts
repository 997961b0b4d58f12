import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { fingerprint } from '../../client';
import { isTool, saidByModel } from '../../operation/isTool';
import type { Item } from '../../operation/parameters';
import { keptOf, keptOfNode, type KeptOfNode } from './kept';

/**
 * Begins a run of the node, or another try of one. Retry On Fail has the same run index in the same
 * execution, and *Retry execution* begins with the run that was not through. n8n's run index alone
 * does not tell: it shifts in a crash.
 */
export function beginRound(context: IExecuteFunctions): void {
	// Calls of a model may be under way at once, each a run of its own.
	if (isTool(context)) return;
	const node = keptOfNode(context);
	const execution = context.getExecutionId();
	const runIndex = context.evaluateExpression('{{ $runIndex }}', 0) as unknown as number;
	const { round } = node;
	const isAnotherRun = round?.execution === execution && round.runIndex !== runIndex;
	if (isAnotherRun) closeRound(node);
	node.here = {};
	node.round = { execution, runIndex };
}

/** What the items of a run have put out is needed no longer, but that they are done. */
export function closeRound(node: KeptOfNode): void {
	for (const id of Object.keys(node.done)) node.through[id] = true;
	node.done = {};
	delete node.round;
}

/**
 * Stands for an item in all its tries, in all executions that were retried from each other: the
 * node, the item's data, its operation and the mode of the key, and how many equal items are done or
 * come before it. An item that has failed and is led back is the same item. A model's call stands
 * for itself, by what it says.
 *
 * @param about operation, and workspace and mode of the key
 */
export function idOf(item: Item, about: readonly string[]): string {
	const { context } = item;
	const { name, parameters } = context.getNode();
	const data = isTool(context) ? [parameters, saidByModel(item)] : withoutError(item.input.json);
	const sign = fingerprint([keptOf(context).line.id, name, about, data]);
	const { through, here } = keptOfNode(context);
	for (let equal = 0; ; equal++) {
		const id = fingerprint([sign, equal]);
		if (through[id] || here[id]) continue;
		here[id] = true;
		return id;
	}
}

/** What the node itself adds to a row that has failed. */
function withoutError({ error, error_details, ...json }: IDataObject): IDataObject {
	void [error, error_details];
	return json;
}
