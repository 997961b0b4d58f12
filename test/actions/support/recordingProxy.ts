import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as it stood on the wire. */
export interface Recorded {
	method: string;
	/** Below the base URL, percent-encoding as sent. */
	path: string;
	query: Record<string, string>;
	contentType?: string;
	/** Parsed JSON; undefined when no body was sent; the raw text of anything else. */
	body?: unknown;
	status: number;
}

export interface RecordingProxy {
	/** Base URL to give to the node, ending in `/v1`. */
	url: string;
	requests: Recorded[];
	/** Answers the next matching request itself instead of handing it on; call it again for the one after. */
	refuseNext(matches: (request: Recorded) => boolean, status: number, body: object): void;
	close(): Promise<void>;
}

interface Refusal {
	matches: (request: Recorded) => boolean;
	status: number;
	body: object;
}

/** Stands between the node and the service at `target`, and keeps every request as it was sent. */
export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
	const service = new URL(target);
	const requests: Recorded[] = [];
	const refusals: Refusal[] = [];

	const server = createServer((incoming, outgoing) => {
		void bodyOf(incoming).then((body) => {
			const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://proxy');
			const recorded: Recorded = {
				method: incoming.method ?? '',
				path: pathname.replace(/^\/v1/, ''),
				query: Object.fromEntries(searchParams),
				contentType: incoming.headers['content-type'],
				body: parsed(body, incoming.headers['content-type']),
				status: 0,
			};
			requests.push(recorded);
			const index = refusals.findIndex(({ matches }) => matches(recorded));
			const [refusal] = index < 0 ? [] : refusals.splice(index, 1);
			if (refusal) {
				recorded.status = refusal.status;
				outgoing.writeHead(refusal.status, { 'content-type': 'application/json' }).end(JSON.stringify(refusal.body));
				return;
			}
			handOn(incoming, body, outgoing, recorded);
		});
	});

	function handOn(incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse, recorded: Recorded): void {
		const headers = { ...incoming.headers, host: service.host };
		const upstream = forward(
			{ host: service.hostname, port: service.port, method: incoming.method, path: incoming.url, headers },
			(answer) => {
				recorded.status = answer.statusCode ?? 0;
				outgoing.writeHead(recorded.status, answer.headers);
				answer.pipe(outgoing);
			},
		);
		upstream.on('error', () => outgoing.destroy());
		upstream.end(body);
	}

	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		requests,
		refuseNext: (matches, status, body) => void refusals.push({ matches, status, body }),
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks);
}

function parsed(body: Buffer, contentType = ''): unknown {
	if (body.length === 0) return undefined;
	return contentType.includes('application/json') ? (JSON.parse(body.toString()) as unknown) : body.toString('latin1');
}
