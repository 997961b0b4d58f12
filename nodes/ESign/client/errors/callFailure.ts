import { NodeApiError, type JsonObject } from 'n8n-workflow';

/**
 * What of a failed call of the service decides how to go on: its HTTP status, undefined when no answer arrived, the API's code
 * without the detail after a colon, and extra keys of the error, such as `cap`.
 */
export function readCallFailure(error: unknown) {
	const { message = String(error), httpCode, context } = error as Partial<NodeApiError>;
	const { code, extra = {} } = (context ?? {}) as { code?: unknown; extra?: JsonObject };
	const named = typeof code === 'string' && code !== '' ? code : undefined;
	return { status: Number(httpCode) || undefined, code: named, message, extra };
}

/** Whether the service says that there is no such thing. A proxy before it may answer 404 to everything for a while. */
export function isGone(error: unknown): boolean {
	const { status, code = '' } = readCallFailure(error);
	return status === 404 && code.endsWith('_not_found');
}

/** Whether the call may have been carried out, though it has failed. */
export function leavesOpen(error: unknown): boolean {
	return !(error instanceof NodeApiError) || error.context.outcome === 'in doubt';
}
