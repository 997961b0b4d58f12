import { join } from 'node:path';
import { GuardedProcess } from '../harness/processes/guardedProcess';
import { projectRoot } from '../harness/packing';
import { until } from '../harness/processes/until';

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

/** What `npm run sandbox -- --port 0` runs, as a child that ends with this process. */
export async function startSandboxProcess(): Promise<SandboxProcess> {
	let ready: ReadyLine | undefined;
	const cli = join(projectRoot, 'sandbox', 'cli.ts');
	const child = new GuardedProcess(process.execPath, ['--import', 'tsx', cli, '--port', '0'], {
		cwd: projectRoot,
		onLine: (line) => {
			if (!ready && line.startsWith('{')) ready = JSON.parse(line) as ReadyLine;
		},
	});
	const line = await until('the sandbox to start', async () => {
		if (!child.running) throw new Error(`The sandbox ended:\n${child.logs}`);
		return ready;
	}).catch(async (error: unknown) => {
		await child.stop();
		throw error;
	});
	return { ...line, origin: new URL(line.url).origin, stop: async () => await child.stop() };
}
