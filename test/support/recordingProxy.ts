import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { forward } from './forward';

/** One request as it passed through, and what came back. */
export interface Exchange {
	method: string;
	/** Path and query, as sent. */
	path: string;
	headers: IncomingHttpHeaders;
	/** The bytes exactly as sent. */
	body: Buffer;
	/** 0 until there is an answer. */
	status: number;
	answer: Buffer;
}

export interface RecordingProxy {
	url: string;
	exchanges: Exchange[];
	/**
	 * Answers the next matching request itself instead of passing it on; call it again for the one
	 * after.
	 */
	refuseNext(matches: (exchange: Exchange) => boolean, status: number, body: object): void;
	close(): Promise<void>;
}

interface Refusal {
	matches: (exchange: Exchange) => boolean;
	status: number;
	body: object;
}

/**
 * Passes every request on to the target, bytes and headers unchanged, and keeps what passed.
 * Answers 502 while nobody listens at the target, and breaks the connection where the target breaks
 * it.
 *
 * @param target asked at each request, because a server may be known only after its proxy
 */
export async function startRecordingProxy(target: () => string): Promise<RecordingProxy> {
	const exchanges: Exchange[] = [];
	const refusals: Refusal[] = [];
	const server = createServer((incoming, outgoing) => {
		void buffer(incoming).then(
			(body) => {
				const { method = 'GET', url: path = '/', headers } = incoming;
				const exchange: Exchange = {
					method,
					path,
					headers,
					body,
					status: 0,
					answer: Buffer.alloc(0),
				};
				exchanges.push(exchange);
				const end = (status: number, answered: IncomingHttpHeaders, answer: Buffer) => {
					Object.assign(exchange, { status, answer });
					outgoing.writeHead(status, answered).end(answer);
				};
				const [refusal] = refusals.splice(indexOrEnd(refusals, exchange), 1);
				if (refusal) {
					return end(
						refusal.status,
						{ 'content-type': 'application/json' },
						Buffer.from(JSON.stringify(refusal.body)),
					);
				}
				void forward(target(), exchange).then(
					(answered) => end(answered.status, answered.headers, answered.body),
					(error: NodeJS.ErrnoException) => {
						if (error.code === 'ECONNREFUSED') end(502, {}, Buffer.alloc(0));
						else outgoing.destroy();
					},
				);
			},
			() => outgoing.destroy(),
		);
	});
	// Whoever stands still for seconds finds the connection open, as with the service.
	server.keepAliveTimeout = 72_000;
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		exchanges,
		refuseNext: (matches, status, body) => void refusals.push({ matches, status, body }),
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

function indexOrEnd(refusals: readonly Refusal[], exchange: Exchange): number {
	const index = refusals.findIndex(({ matches }) => matches(exchange));
	return index < 0 ? refusals.length : index;
}
