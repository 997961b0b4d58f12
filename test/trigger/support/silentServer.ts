import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A server on 127.0.0.1 that takes every connection, reads what comes, and never says a word. */
export async function silentServer(port = 0): Promise<{ port: number; close: () => Promise<void> }> {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
		socket.resume();
	});
	await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
	const close = async () => {
		const closed = new Promise((resolve) => server.close(resolve));
		for (const socket of sockets) socket.destroy();
		await closed;
	};
	return { port: (server.address() as AddressInfo).port, close };
}
