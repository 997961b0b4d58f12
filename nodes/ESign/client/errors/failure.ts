import { NodeApiError, type IDataObject, type JsonObject } from 'n8n-workflow';
import { ruleOf, type Endpoint } from '../../service/endpoints';
import type { ApiContext } from '../run';

/** What was asked for: the ids in the path, and the body. */
export type Asked = { path?: Record<string, string>; body?: IDataObject };

/** Where a failure happened, and what must not appear in what is said about it. */
export type ErrorContext = {
	context: ApiContext;
	endpoint: Endpoint;
	/** What the call does, as it follows "could not", where it is not what the endpoint does. */
	action?: string;
	itemIndex?: number;
	pins: string[];
	/** An error names the id, role or file of it that it is about. */
	request?: Asked;
};

/**
 * An error of the service or the way to it, built from words alone: nothing of the request hangs on it.
 *
 * @param words what n8n shows: what happened, and what to do about it
 */
export function failure(
	{ context, endpoint, itemIndex }: ErrorContext,
	status: number | undefined,
	words: { message: string; description: string },
	{ code = '', details = [], extra = {}, ...more }: IDataObject & { code?: string } = {},
): NodeApiError {
	const clean: JsonObject = { message: words.message, ...(code !== '' && { code }) };
	const httpCode = status === undefined ? undefined : String(status);
	const error = new NodeApiError(context.getNode(), clean, { ...words, httpCode, itemIndex });
	// The constructor replaces texts in which it recognises the name of a system error, and takes a code for a status.
	error.message = words.message;
	error.description = words.description;
	error.httpCode = httpCode ?? null;
	Object.assign(error.context, { code, details, extra, endpoint, ...more });
	return error;
}

/** What the call does, as it follows "could not" in a message. */
export function actionOf({ endpoint, action }: ErrorContext): string {
	return action ?? ruleOf(endpoint).action;
}
