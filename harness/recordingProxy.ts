import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import axios from 'axios';

/** One request as it passed through, and what came back. */
export interface Exchange {
	method: string;
	/** Path and query. */
	path: string;
	headers: IncomingHttpHeaders;
	/** The bytes exactly as sent. */
	body: Buffer;
	status: number;
	answer: Buffer;
}

export interface RecordingProxy {
	url: string;
	exchanges: Exchange[];
	close(): Promise<void>;
}

/** Headers that belong to one connection, not to the message (RFC 9110, 7.6.1), or that axios sets itself. */
const OWN = ['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding'];

/**
 * Passes every request on to the target, bytes and headers unchanged, and keeps what passed. Answers 502 while the
 * target is down.
 *
 * @param target asked at each request, because a server may be known only after its proxy
 */
export async function startRecordingProxy(target: () => string): Promise<RecordingProxy> {
	const exchanges: Exchange[] = [];
	const server = createServer((request, response) => {
		void (async () => {
			const { method = 'GET', url: path = '/', headers } = request;
			const body = await buffer(request);
			const forward = Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.includes(name)));
			const answer = await axios
				.request<ArrayBuffer>({
					method,
					url: target() + path,
					headers: forward,
					data: body.length > 0 ? body : undefined,
					responseType: 'arraybuffer',
					decompress: false,
					maxRedirects: 0,
					validateStatus: () => true,
					proxy: false,
				})
				.catch(() => ({ status: 502, headers: {}, data: new ArrayBuffer(0) }));
			const bytes = Buffer.from(answer.data);
			exchanges.push({ method, path, headers, body, status: answer.status, answer: bytes });
			for (const [name, value] of Object.entries(answer.headers)) {
				if (!OWN.includes(name) && value !== undefined) response.setHeader(name, value as string | string[]);
			}
			response.writeHead(answer.status).end(bytes);
		})();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		exchanges,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
