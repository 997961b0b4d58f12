import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError, envelope, invalid } from './errors';

const JSON_TYPE = 'application/json; charset=utf-8';

const REASONS: Record<number, string> = { 400: 'Bad Request', 405: 'Method Not Allowed', 408: 'Request Timeout' };

/** Answers in the envelope where there is no response to answer with. */
function refuseOn(socket: Socket, refusal: ApiError): void {
	if (!socket.writable) return;
	const body = JSON.stringify(envelope(refusal));
	socket.end(
		`HTTP/1.1 ${refusal.statusCode} ${REASONS[refusal.statusCode] ?? 'Error'}\r\ncontent-type: ${JSON_TYPE}\r\n` +
			`content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
	);
}

/** For bytes that are not HTTP at all, and for requests that stop half way. */
export function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
	const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
	refuseOn(socket, isLate ? new ApiError('request_timeout') : invalid('request', 'is not well-formed HTTP'));
}

/** What Node.js would answer by itself, without a body or not at all. */
export function refuseOddRequests(server: Server): void {
	server.on('connect', (_request: IncomingMessage, socket: Socket) => {
		refuseOn(socket, new ApiError('method_not_allowed'));
	});
	server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
		const refusal = invalid('request', 'expects something else than 100-continue');
		response.writeHead(refusal.statusCode, { 'content-type': JSON_TYPE, connection: 'close' });
		response.end(JSON.stringify(envelope(refusal)));
	});
}

/** @throws ApiError for a request that names no host, which HTTP/1.1 demands */
export function requireHost({ httpVersion, headers }: IncomingMessage): void {
	if (httpVersion === '1.1' && headers.host === undefined) throw invalid('request', 'needs a Host header');
}
