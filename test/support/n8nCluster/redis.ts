import { mkdir } from 'node:fs/promises';
import { freePort } from '../n8nServer/server';
import { ServerProcess } from './serverProcess';

export interface Redis {
	port: number;
	server: ServerProcess;
}

/**
 * Starts Redis on a free port of 127.0.0.1, with its data in `folder`. What it has acknowledged
 * survives even a SIGKILL: a queue that forgets its jobs is nobody's production.
 */
export async function startRedis(command: string, folder: string): Promise<Redis> {
	await mkdir(folder);
	const port = await freePort();
	const settings = {
		bind: '127.0.0.1',
		port: String(port),
		dir: folder,
		save: '',
		appendonly: 'yes',
		appendfsync: 'always',
	};
	const server = new ServerProcess({
		name: 'Redis',
		command,
		args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
		readyText: 'Ready to accept connections',
	});
	await server.start();
	return { port, server };
}
