import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * What becomes of the traffic: `open` passes it on; `late` passes requests on at once and keeps the
 * answers back until the gateway is open again; `silent` takes connections and never answers;
 * `down` breaks every connection, as a server that is not there would.
 */
export type GatewayMode = 'open' | 'late' | 'silent' | 'down';

export interface Gateway {
	url: string;
	set(mode: GatewayMode): void;
	close(): Promise<void>;
}

/**
 * A stretch of network between two servers, which a test can slow down or cut. Works on bytes and
 * knows no HTTP, so that whatever passes is exactly what was sent.
 *
 * @param target asked at each connection, because a server may be known only after its gateway
 */
export async function startGateway(target: () => string): Promise<Gateway> {
	let mode: GatewayMode = 'open';
	const sockets = new Set<Socket>();
	const keptBack = new Map<Socket, Buffer[]>();

	const remember = (socket: Socket) => {
		sockets.add(socket);
		socket.on('error', () => socket.destroy());
		socket.on('close', () => sockets.delete(socket));
	};
	const server = createServer((client) => {
		remember(client);
		if (mode === 'down') return client.destroy();
		if (mode === 'silent') return client.resume();
		const { hostname, port } = new URL(target());
		const upstream = connect(Number(port), hostname);
		remember(upstream);
		client.on('close', () => {
			keptBack.delete(client);
			upstream.destroy();
		});
		upstream.on('close', () => {
			if (!keptBack.has(client)) client.destroy();
		});
		client.on('data', (bytes) => upstream.write(bytes));
		upstream.on('data', (bytes) => {
			if (mode === 'late') keptBack.set(client, [...(keptBack.get(client) ?? []), bytes]);
			else client.write(bytes);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		set: (next) => {
			mode = next;
			if (mode === 'down') sockets.forEach((socket) => socket.destroy());
			if (mode !== 'open') return;
			for (const [client, bytes] of keptBack) client.write(Buffer.concat(bytes));
			keptBack.clear();
		},
		close: async () => {
			sockets.forEach((socket) => socket.destroy());
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
