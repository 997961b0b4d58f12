import { NodeApiError, type INode, type JsonObject } from 'n8n-workflow';

/** What of a failed call of the service decides how to go on. */
export interface CallFailure {
	/** HTTP status; undefined when no answer arrived. */
	status?: number;
	/** The API's code, without the detail after a colon. */
	code?: string;
	message: string;
	/** Extra keys of the error, such as `cap`. */
	extra: JsonObject;
}

/** Reads what was thrown by a call of the service. */
export function readCallFailure(error: unknown): CallFailure {
	const { message = String(error), httpCode, context } = error as Partial<NodeApiError>;
	const { code, extra } = (context ?? {}) as { code?: unknown; extra?: unknown };
	return {
		status: Number(httpCode) || undefined,
		code: typeof code === 'string' && code !== '' ? code : undefined,
		message,
		extra: (extra ?? {}) as JsonObject,
	};
}

/**
 * Whether the service could not be asked, so that nothing is known: no answer, 429, 5xx, or a credential that could not be
 * read. Any other answer is a refusal, which stays the same until somebody does something about it.
 */
export function isOutOfReach({ status }: CallFailure): boolean {
	return status === undefined || status === 429 || status >= 500;
}

/** The error of a call as n8n shows it; what the transport threw is passed on as it is. */
export function asApiError(node: INode, error: unknown): NodeApiError {
	return error instanceof NodeApiError ? error : new NodeApiError(node, error as JsonObject);
}
