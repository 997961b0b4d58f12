import type { Socket } from 'node:net';
import { ApiError, envelope, invalid } from './errors';

const JSON_TYPE = 'application/json; charset=utf-8';

const REASONS: Record<number, string> = { 400: 'Bad Request', 408: 'Request Timeout' };

/**
 * Answers in the envelope where there is no response to answer with: bytes that are not HTTP,
 * requests that stop half way.
 */
export function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
	const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
	const refusal = isLate
		? new ApiError('request_timeout')
		: invalid('request', 'is not well-formed HTTP');
	if (!socket.writable) return;
	const body = JSON.stringify(envelope(refusal));
	socket.end(
		`HTTP/1.1 ${refusal.statusCode} ${REASONS[refusal.statusCode] ?? 'Error'}\r\ncontent-type: ${JSON_TYPE}\r\n` +
			`content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
	);
}
