import { NodeApiError } from 'n8n-workflow';

/**
 * The service has said no, and certainly created nothing. The status of a call in doubt may be that of the look for it, and
 * a 429 may follow a request that nobody knows the outcome of.
 */
export function isRefusal(error: unknown): boolean {
	if (!(error instanceof NodeApiError) || error.context.outcome === 'in doubt') return false;
	const status = Number(error.httpCode);
	return status >= 400 && status < 500 && status !== 429;
}

/** The request never reached the service. */
export function isUnsent(error: unknown): boolean {
	return error instanceof NodeApiError && error.context.outcome === 'not sent';
}
