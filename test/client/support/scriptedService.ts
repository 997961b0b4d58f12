import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ESignCredential } from '../../support/n8nCore/credentials';

export interface Seen {
	method: string;
	/** With the query, as it came over the wire. */
	url: string;
	headers: IncomingHttpHeaders;
	body: string;
	/** The body before it was taken for text. */
	bytes: Buffer;
}

export interface ScriptedService {
	origin: string;
	credential: ESignCredential;
	seen: Seen[];
	close(): Promise<void>;
}

/** A real HTTP server that answers as a test scripts it, for what the sandbox never says. */
export async function startScripted(
	answer: (request: Seen, response: ServerResponse) => void,
	apiKey = 'sk_test_scriptedkey0000',
): Promise<ScriptedService> {
	const seen: Seen[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { method = '', url = '', headers } = request;
			const bytes = Buffer.concat(chunks);
			const entry = { method, url, headers, body: bytes.toString('utf8'), bytes };
			seen.push(entry);
			answer(entry, response);
		});
	});
	// A machine that stands still for longer than this would find its own connection closed when it
	// continues.
	server.keepAliveTimeout = 72_000;
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		origin,
		credential: { baseUrl: `${origin}/v1`, apiKey },
		seen,
		close: async () => {
			server.closeAllConnections();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
}

/** One for the tests of a file, with nothing seen before each of them. */
export function scriptedOfThisFile(
	answer: (request: Seen, response: ServerResponse) => void,
): ScriptedService {
	const service = {} as ScriptedService;
	beforeAll(async () => Object.assign(service, await startScripted(answer)));
	beforeEach(() => {
		service.seen.length = 0;
	});
	afterAll(async () => await service.close());
	return service;
}

/** Answers with a JSON body. */
export function json(
	response: ServerResponse,
	status: number,
	body: unknown,
	headers: Record<string, string> = {},
): void {
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	response.end(JSON.stringify(body));
}
