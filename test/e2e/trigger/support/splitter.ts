import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Stands before several processes of one n8n, as a load balancer does that loses an answer. */
export interface Splitter {
	url: string;
	/** Whether each delivery of the service goes to all of them; else to the first. */
	isOn: boolean;
	close(): Promise<void>;
}

/** @param targets the addresses of the processes; the sender gets the answer of the first */
export async function startSplitter(targets: () => string[]): Promise<Splitter> {
	const server = createServer((request, response) => {
		const answer = async () => {
			const body = await buffer(request);
			const isForAll = splitter.isOn && request.headers['x-esign-event'] !== undefined;
			const urls = isForAll ? targets() : targets().slice(0, 1);
			const [first] = await Promise.all(
				urls.map(async (url) => await fetch(url + request.url, { ...sentAs(request), body })),
			);
			const headers = [...(first?.headers ?? [])].filter(([name]) => !HOP.includes(name));
			response.writeHead(first?.status ?? 502, Object.fromEntries(headers));
			response.end(first && Buffer.from(await first.arrayBuffer()));
		};
		answer().catch(() => response.writeHead(502).end('Bad gateway'));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const splitter: Splitter = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		isOn: false,
		close: async () => {
			server.closeAllConnections();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
	return splitter;
}

/** Headers of one connection, which the next one has of its own. */
const HOP = ['connection', 'content-length', 'content-encoding', 'host', 'keep-alive'];

function sentAs({ method, headers }: IncomingMessage) {
	const kept = Object.entries(headers).filter(([name]) => !HOP.includes(name));
	return {
		method,
		redirect: 'manual' as const,
		headers: Object.fromEntries(kept) as Record<string, string>,
	};
}
