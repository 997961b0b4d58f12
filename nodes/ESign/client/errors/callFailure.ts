import type { JsonObject, NodeApiError } from 'n8n-workflow';

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
