import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { fingerprint } from '../../client';
import { failureIn } from '../../operation/itemError';
import { isTool, saidByModel } from '../../operation/isTool';
import { keptOf, keptOfNode, type KeptOfNode } from './kept';

/**
 * Begins a run of the node, or another try of one.
 *
 * @param about operation, and workspace and mode of the key
 * @returns what stands for each of its items, in all their tries, in all executions that were
 * retried from each other: the node, the item's data, its operation and the mode of the key, and
 * how many equal items come before it. An item that has failed and is led back is the same item,
 * which the node has marked: equal data alone do not tell, because expressions may read what a row
 * is from other nodes. A model's call stands for itself, by what it says.
 */
export function beginRun(context: IExecuteFunctions, about: readonly string[]): string[] {
	// Calls of a model may be under way at once, each a run of its own.
	if (!isTool(context)) beginRound(context);
	const { line } = keptOf(context);
	const { id: nodeId, through, here } = keptOfNode(context);
	const node = fingerprint([line.id, nodeId]);
	const { parameters } = context.getNode();
	return context.getInputData().map((input, index) => {
		const data = isTool(context) ? [parameters, saidByModel({ context, index })] : givenWith(input);
		const sign = `${node} ${fingerprint([about, data])}`;
		const hasFailed = failureIn(input.json) !== undefined;
		for (let equal = 0; ; equal++) {
			const id = `${sign}/${equal}`;
			const isBack = hasFailed && through[id] === false;
			if (here[id] || (id in through && !isBack)) continue;
			here[id] = true;
			return id;
		}
	});
}

/**
 * Retry On Fail has the same run index in the same execution, and *Retry execution* begins with the
 * run that was not through. n8n's run index alone does not tell: it shifts in a crash.
 */
function beginRound(context: IExecuteFunctions): void {
	const node = keptOfNode(context);
	const execution = context.getExecutionId();
	const runIndex = context.evaluateExpression('{{ $runIndex }}', 0) as unknown as number;
	const { round } = node;
	const isSameExecution = round?.execution === execution;
	const isSameRun = isSameExecution && round.runIndex === runIndex;
	const hasEnded = isSameExecution || round?.hasEnded;
	if (hasEnded && !isSameRun) closeRound(node);
	node.here = {};
	node.round = { execution, runIndex };
}

/** What the items of a run have put out is needed no longer, but whether they are done. */
export function closeRound(node: KeptOfNode): void {
	for (const id of Object.keys({ ...node.here, ...node.done })) node.through[id] = id in node.done;
	node.done = {};
	delete node.round;
}

/**
 * What tells a row from others. Those of a file that a request has brought have no data: there the
 * names and sizes of their files do.
 */
function givenWith({ json, binary = {} }: INodeExecutionData): unknown {
	const row = lasting(json);
	if (Object.keys(row).length > 0) return row;
	return Object.values(binary).map(({ fileName, fileSize }) => [fileName, fileSize]);
}

/** Of a row what is the same in all tries: what the node adds where it has failed is not. */
function lasting({ error, error_details, ...json }: IDataObject): IDataObject {
	void [error, error_details];
	return json;
}
