import { join } from 'node:path';
import { GuardedProcess } from './processes/guardedProcess';
import { until } from './processes/until';
import { Service } from './service';

const CLI = join(__dirname, '..', 'sandbox', 'cli.ts');

interface ReadyLine {
	url: string;
	keys: { live: string; test: string };
}

export interface RateLimit {
	/** Requests per window and key; 0 for no limit in force. */
	rateLimit: number;
	windowSeconds?: number;
}

/**
 * Runs `work` against a sandbox in a process of its own: what the service computes is then no part of what is measured
 * in this one.
 */
export async function withSandbox<T>(limit: RateLimit, work: (service: Service) => Promise<T>): Promise<T> {
	let ready: ReadyLine | undefined;
	const { rateLimit, windowSeconds = 60 } = limit;
	const options = ['--port', '0', '--rate-limit', `${rateLimit}`, '--rate-window', `${windowSeconds}`];
	const sandbox = new GuardedProcess(process.execPath, [...process.execArgv, CLI, ...options], {
		onLine: (line) => {
			if (!ready && line.startsWith('{')) ready = JSON.parse(line) as ReadyLine;
		},
	});
	try {
		const { url, keys } = await until('the sandbox to be ready', async () => {
			if (!sandbox.running) throw new Error(`The sandbox ended:\n${sandbox.logs.slice(-2000)}`);
			return ready;
		});
		return await work(new Service(url, keys.live));
	} finally {
		await sandbox.stop();
	}
}
