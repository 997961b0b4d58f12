import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type JsonObject,
} from 'n8n-workflow';
import type { Operation } from './operation';
import { UnreadableParameter } from '../parameters/checks/given';

/** What a failed item looks like in the output of a node that continues on error. */
type ItemFailure = IDataObject & { error: string | IDataObject };

/**
 * The error of an item with its index: n8n's own errors as they are, anything else wrapped.
 *
 * @param operation the one that has failed, if the item names one: it has the labels of its parameters
 */
export function nodeError(
	context: IExecuteFunctions,
	error: unknown,
	itemIndex: number,
	operation: Operation | undefined,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		error.context.itemIndex ??= itemIndex;
		return error;
	}
	if (error instanceof UnreadableParameter) {
		const description =
			'Give the value itself, such as a text or a number, instead of the object that holds it.\nNothing was changed at the service for this item.';
		const { displayName = error.parameter } =
			operation?.description.find(({ property }) => property.name === error.parameter)?.property ?? {};
		return new NodeOperationError(context.getNode(), `${displayName}: ${error.what}`, { itemIndex, description });
	}
	const cause = error instanceof Error ? error : ({ message: String(error) } satisfies JsonObject);
	return new NodeOperationError(context.getNode(), cause, { itemIndex });
}

/**
 * The output of a failed item: the JSON of its input item, so that a row can be corrected and sent again, with `error`,
 * `description`, `code`, `httpCode` and so on. Where both have a key, the failure's counts.
 *
 * For a node with an error output the same facts are one level down, as `{ error: {...}, message }`: n8n sends an item to
 * that output only if it has no keys but `error` and `message` (workflow-execute.js, handleNodeErrorOutput), and replaces
 * the JSON of an item that carries an `error` of its own. There n8n itself adds the JSON of the input item.
 */
export function failureOf(
	context: IExecuteFunctions,
	failure: NodeApiError | NodeOperationError,
	itemIndex: number,
): ItemFailure {
	const { code, details, extra } = failure.context as IDataObject;
	const facts: IDataObject = { error: failure.message, description: failure.description ?? null };
	if (code !== undefined) facts.code = code;
	if (failure instanceof NodeApiError && failure.httpCode) facts.httpCode = failure.httpCode;
	if (details !== undefined) facts.details = details;
	if (extra !== undefined) facts.extra = extra;

	if (context.getNode().onError !== 'continueErrorOutput') {
		return { ...inputOf(context, itemIndex), ...facts, error: failure.message };
	}
	const { error: message, ...others } = facts;
	return { error: { message, ...others }, message };
}

/**
 * What a failed item is paired with. For the error output n8n adds the JSON of the input item to what is paired by an object
 * (workflow-execute.js, handleNodeErrorOutput). JSON that throws when it is read would fail the node there, and lose what the
 * other items have done: a number pairs as well, and adds nothing.
 */
export function pairingOf(context: IExecuteFunctions, itemIndex: number): { item: number } | number {
	try {
		Object.assign({}, context.getInputData()[itemIndex]?.json);
		return { item: itemIndex };
	} catch {
		return itemIndex;
	}
}

/** The files of the input item: whoever corrects the row and sends it again needs them. */
export function filesOf(context: IExecuteFunctions, itemIndex: number): Pick<INodeExecutionData, 'binary'> {
	const { binary } = context.getInputData()[itemIndex] ?? {};
	return binary === undefined ? {} : { binary };
}

/** The JSON of the input item, as far as it can be read. */
function inputOf(context: IExecuteFunctions, itemIndex: number): IDataObject {
	const input = context.getInputData()[itemIndex]?.json ?? {};
	return Object.fromEntries(namesIn(input).flatMap((name) => readable(input, name)));
}

function namesIn(input: IDataObject): string[] {
	try {
		return Object.keys(input);
	} catch {
		return [];
	}
}

function readable(input: IDataObject, name: string): Array<[string, IDataObject[string]]> {
	try {
		return [[name, input[name]]];
	} catch {
		return [];
	}
}
