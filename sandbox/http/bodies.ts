import type { FastifyInstance } from 'fastify';
import { ApiError, invalid } from './errors';

/**
 * How bodies are read under one prefix: JSON only. An absent body is undefined whatever its
 * declared type, because clients send a content type with empty POSTs too.
 */
export function acceptJsonBodies(app: FastifyInstance): void {
	app.removeContentTypeParser(['application/json', 'text/plain']);
	app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
		if (text === '') return done(null, undefined);
		try {
			done(null, JSON.parse(String(text)));
		} catch {
			done(invalid('body', 'must be well-formed JSON'));
		}
	});
	app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => {
		if (bytes.length === 0) done(null, undefined);
		else done(invalid('body', 'must be JSON, with the content type application/json'));
	});
}

/** What the framework refuses by itself, in the service's words. */
export function refusalFor(error: unknown): ApiError {
	if (error instanceof ApiError) return error;
	const { statusCode = 500 } = error as { statusCode?: number };
	if (statusCode === 413) return new ApiError('request_too_large');
	if (statusCode >= 400 && statusCode < 500) return invalid('body', 'cannot be read');
	return new ApiError('internal_error');
}
