import { NodeApiError, NodeOperationError, type INode, type JsonObject } from 'n8n-workflow';

/** What of a failed API call decides how to go on. */
export interface Failure {
	/** HTTP status; undefined when no answer arrived. */
	status?: number;
	/** The API's code, without the detail after a colon. */
	code?: string;
	message: string;
	/** Extra keys of the error, such as `cap`. */
	extra: JsonObject;
	/** No answer, 429 or 5xx: the same call may well succeed soon (docs/service.md section 7). */
	isBrief: boolean;
}

/** Reads what was thrown by a call of the service. */
export function failureOf(error: unknown): Failure {
	const { message = String(error), httpCode, context } = error as Partial<NodeApiError>;
	const status = Number(httpCode) || undefined;
	const { code, extra } = (context ?? {}) as { code?: unknown; extra?: unknown };
	return {
		status,
		code: typeof code === 'string' ? code : undefined,
		message,
		extra: (extra ?? {}) as JsonObject,
		// A NodeOperationError was refused here, before any request, and would be again.
		isBrief: !(error instanceof NodeOperationError) && (status === undefined || status === 429 || status >= 500),
	};
}

/** The error of a call as n8n shows it; what the transport threw is passed on as it is. */
export function apiErrorOf(node: INode, error: unknown): NodeApiError {
	return error instanceof NodeApiError ? error : new NodeApiError(node, error as JsonObject);
}
