import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type INodeExecutionData,
} from 'n8n-workflow';
import { isObject, leavesOpen } from '../client';
import type { Item } from './parameters';

export type NodeFailure = NodeApiError | NodeOperationError;

/** The error of an item with its index: n8n's own errors as they are, anything else wrapped. */
export function nodeError(item: Item, error: unknown): NodeFailure {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		error.context.itemIndex ??= item.index;
		return error;
	}
	const cause = error instanceof Error ? error : String(error);
	return new NodeOperationError(item.context.getNode(), cause, { itemIndex: item.index });
}

/**
 * The output of a failed item: the JSON of its input item, so that a row can be corrected and sent
 * again, and its files, with the message as `error`, and `description`, `code`, `httpCode` and so
 * on in `error_details`; `in_doubt` there says whether it may have been carried out. No column of a
 * row is replaced: the row may be led back to the node, which would put the words of an error into
 * a contract.
 *
 * For a node with an error output the same facts are in `error`: n8n sends an item to that output
 * only if it has no other key (workflow-execute.js, handleNodeErrorOutput), and replaces the JSON
 * of an item that carries an `error` of its own. There n8n itself adds the JSON of the input item.
 */
export function failedItem(
	item: Item,
	failure: NodeFailure,
	isInDoubt: boolean | undefined,
): Pick<INodeExecutionData, 'json' | 'binary'> {
	const { code, details, extra } = failure.context as IDataObject;
	const in_doubt = leavesOpen(failure) || (isInDoubt ?? wasInDoubt(item.input.json));
	const httpCode = failure instanceof NodeApiError ? (failure.httpCode ?? undefined) : undefined;
	const { message, description = null } = failure;
	const all = { description, code, httpCode, details, extra, in_doubt };
	// As the saved item: n8n's Remove Duplicates refuses a field that is there and undefined.
	const facts = Object.fromEntries(
		Object.entries(all).filter(([, fact]) => fact !== undefined),
	) as IDataObject;

	const { json, binary } = item.input;
	const files = binary === undefined ? {} : { binary };
	if (item.context.getNode().onError === 'continueErrorOutput') {
		return { json: { error: { message, ...facts } }, ...files };
	}
	return { json: { ...json, error: message, error_details: facts }, ...files };
}

/** A row that an error output has led back says so until it is known. */
export function wasInDoubt(row: IDataObject): boolean {
	return failureIn(row)?.in_doubt === true;
}

/** What the node has said in a row that has failed before. */
export function failureIn({ error, error_details: details }: IDataObject): IDataObject | undefined {
	return [error, details].find(
		(facts): facts is IDataObject => isObject(facts) && 'in_doubt' in facts,
	);
}
