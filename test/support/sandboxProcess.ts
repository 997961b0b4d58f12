import { join } from 'node:path';
import { projectRoot } from './packing';
import { GuardedProcess } from './processes/guardedProcess';
import { until } from './processes/until';
import { ServiceClient } from './serviceClient';

/** The one line that the sandbox prints when it is ready. */
interface ReadyLine {
	url: string;
	keys: { live: string; test: string };
}

export interface SandboxProcess extends ReadyLine {
	/** Address of its pages, without `/v1`. */
	origin: string;
	stop(): Promise<void>;
}

export interface RateLimit {
	/** Requests per window and key; 0 for no limit in force. */
	rateLimit: number;
	windowSeconds?: number;
}

/** What `npm run sandbox -- --port 0` runs, as a child that ends with this process. */
export async function startSandboxProcess(limit?: RateLimit): Promise<SandboxProcess> {
	let ready: ReadyLine | undefined;
	const limits = limit
		? ['--rate-limit', `${limit.rateLimit}`, '--rate-window', `${limit.windowSeconds ?? 60}`]
		: [];
	const cli = join(projectRoot, 'sandbox', 'cli.ts');
	const child = new GuardedProcess(
		process.execPath,
		['--import', 'tsx', cli, '--port', '0', ...limits],
		{
			cwd: projectRoot,
			onLine: (line) => {
				if (!ready && line.startsWith('{')) ready = JSON.parse(line) as ReadyLine;
			},
		},
	);
	const line = await until('the sandbox to start', async () => {
		if (!child.running) throw new Error(`The sandbox ended:\n${child.logs.slice(-2000)}`);
		return ready;
	}).catch(async (error: unknown) => {
		await child.stop();
		throw error;
	});
	return { ...line, origin: new URL(line.url).origin, stop: async () => await child.stop() };
}

/**
 * Runs `work` against a sandbox in a process of its own: what the service computes is then no part
 * of what is measured in this one.
 */
export async function withSandbox<T>(
	limit: RateLimit,
	work: (service: ServiceClient) => Promise<T>,
): Promise<T> {
	const { url, keys, stop } = await startSandboxProcess(limit);
	try {
		return await work(new ServiceClient(url, keys.live));
	} finally {
		await stop();
	}
}
