import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** How many characters of output are kept for error messages and tests. */
const KEPT_OUTPUT = 1_000_000;

export interface GuardedProcessOptions {
	cwd?: string;
	env?: NodeJS.ProcessEnv;
	/** Called with each complete line of stdout and stderr. */
	onLine?: (line: string) => void;
}

/**
 * A command in a process group of its own, behind `guard.cjs`: it ends with `stop()` or `kill()`,
 * and by itself when the process that started it is gone, however that went.
 */
export class GuardedProcess {
	private readonly child: ChildProcess;
	private readonly exited: Promise<number>;
	private both = '';
	private out = '';

	constructor(command: string, args: string[], options: GuardedProcessOptions = {}) {
		this.child = spawn(process.execPath, [join(__dirname, 'guard.cjs'), command, ...args], {
			cwd: options.cwd,
			env: options.env ?? process.env,
			detached: true,
			stdio: ['pipe', 'pipe', 'pipe'],
		});
		// A guard that was killed closes its end first; writing is never tried, so the error says
		// nothing.
		this.child.stdin?.on('error', () => undefined);
		this.follow(options.onLine);
		// 'close' comes when all output has been read; whoever of the group still holds the pipes is
		// ended at 'exit'.
		this.child.once('exit', () => this.signalGroup('SIGKILL'));
		this.exited = once(this.child, 'close').then(([code]: (number | null)[]) => code ?? 1);
	}

	/** The process id of the guard, which is also the id of the group. */
	get pid(): number {
		if (this.child.pid === undefined) throw new Error('The process did not start');
		return this.child.pid;
	}

	/** Everything written to stdout and stderr, the last million characters of it. */
	get logs(): string {
		return this.both;
	}

	/** What was written to stdout alone, the last million characters of it. */
	get stdout(): string {
		return this.out;
	}

	get running(): boolean {
		return this.child.exitCode === null && this.child.signalCode === null;
	}

	/** Resolves with the exit code once the command has ended and its whole group with it. */
	async done(): Promise<number> {
		return await this.exited;
	}

	/** Asks the group to end (SIGTERM), and ends it by force after `graceMs`. */
	async stop(graceMs = 10_000): Promise<void> {
		this.signalGroup('SIGTERM');
		const force = setTimeout(() => this.signalGroup('SIGKILL'), graceMs);
		await this.exited;
		clearTimeout(force);
	}

	/** Ends the group at once (SIGKILL), as a crash or a power cut would. */
	async kill(): Promise<void> {
		this.signalGroup('SIGKILL');
		await this.exited;
	}

	private signalGroup(signal: NodeJS.Signals): void {
		try {
			process.kill(-this.pid, signal);
		} catch (error) {
			// ESRCH: everybody has left already.
			if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
		}
	}

	private follow(onLine?: (line: string) => void): void {
		for (const stream of [this.child.stdout, this.child.stderr]) {
			let rest = '';
			stream?.setEncoding('utf8').on('data', (text: string) => {
				this.both = (this.both + text).slice(-KEPT_OUTPUT);
				if (stream === this.child.stdout) this.out = (this.out + text).slice(-KEPT_OUTPUT);
				const lines = (rest + text).split('\n');
				rest = lines.pop() ?? '';
				if (onLine) lines.forEach(onLine);
			});
		}
	}
}

/**
 * Runs a command to its end.
 *
 * @returns what it wrote to stdout
 * @throws Error with the end of its output when it fails
 */
export async function runGuarded(
	command: string,
	args: string[],
	options?: GuardedProcessOptions,
): Promise<string> {
	const guarded = new GuardedProcess(command, args, options);
	const code = await guarded.done();
	if (code === 0) return guarded.stdout;
	throw new Error(
		`${command} ${args.join(' ')} failed (exit code ${code}):\n${guarded.logs.slice(-4000)}`,
	);
}
