import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type JsonObject,
} from 'n8n-workflow';

/** What a failed item looks like in the output of a node that continues on error. */
type ItemFailure = IDataObject & { error: string | IDataObject };

/** The error of an item with its index: n8n's own errors as they are, anything else wrapped. */
export function nodeError(
	context: IExecuteFunctions,
	error: unknown,
	itemIndex: number,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		error.context.itemIndex ??= itemIndex;
		return error;
	}
	const cause = error instanceof Error ? error : ({ message: String(error) } satisfies JsonObject);
	return new NodeOperationError(context.getNode(), cause, { itemIndex });
}

/**
 * The output of a failed item: `{ error, description, code, httpCode, ... }`.
 *
 * For a node with an error output the same facts are one level down, as `{ error: {...}, message }`: n8n sends an item to
 * that output only if it has no keys but `error` and `message` (workflow-execute.js, handleNodeErrorOutput), and replaces
 * the JSON of an item that carries an `error` of its own.
 */
export function failureOf(context: IExecuteFunctions, failure: NodeApiError | NodeOperationError): ItemFailure {
	const { code, details, extra } = failure.context as IDataObject;
	const facts: IDataObject = { error: failure.message, description: failure.description ?? null };
	if (code !== undefined) facts.code = code;
	if (failure instanceof NodeApiError && failure.httpCode) facts.httpCode = failure.httpCode;
	if (details !== undefined) facts.details = details;
	if (extra !== undefined) facts.extra = extra;

	if (context.getNode().onError !== 'continueErrorOutput') return { ...facts, error: failure.message };
	const { error: message, ...others } = facts;
	return { error: { message, ...others }, message };
}
