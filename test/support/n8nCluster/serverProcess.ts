import { GuardedProcess, type GuardedProcessOptions } from '../processes/guardedProcess';
import { until } from '../processes/until';

export interface ServerCommand extends GuardedProcessOptions {
	/** For error messages. */
	name: string;
	command: string;
	args: string[];
	/** What the server writes when it can be used. */
	readyText: string;
}

/**
 * Four processes of n8n start on two cores at once, the first of them with all migrations ahead.
 */
const START_TIMEOUT_MS = 120_000;

/**
 * One server of the cluster: it can be stopped, killed and started again, with the same command and
 * over the same data.
 */
export class ServerProcess {
	private process: GuardedProcess | undefined;
	private earlierLogs = '';

	constructor(private readonly settings: ServerCommand) {}

	get name(): string {
		return this.settings.name;
	}

	get running(): boolean {
		return this.process?.running === true;
	}

	/** The id of the server's process group, while it runs. */
	get pid(): number | undefined {
		return this.running ? this.process?.pid : undefined;
	}

	/** Everything that the server has written, over all of its starts. */
	get logs(): string {
		return this.earlierLogs + (this.process?.logs ?? '');
	}

	/** Starts the server and waits until it says that it is ready. */
	async start(): Promise<void> {
		if (this.running) throw new Error(`${this.name} is running already`);
		this.earlierLogs = this.logs;
		const { command, args, cwd, env, readyText } = this.settings;
		const started = new GuardedProcess(command, args, { cwd, env });
		this.process = started;
		await until(
			`${this.name} to start`,
			async () => {
				if (!started.running) return 'ended';
				return started.logs.includes(readyText) ? 'ready' : undefined;
			},
			START_TIMEOUT_MS,
		);
		if (!started.running)
			throw new Error(`${this.name} ended while starting:\n${started.logs.slice(-4000)}`);
	}

	/** Asks the server to end (SIGTERM), and waits until it has. */
	async stop(): Promise<void> {
		await this.process?.stop();
	}

	/** Ends the server at once (SIGKILL), as a crash would. */
	async kill(): Promise<void> {
		await this.process?.kill();
	}
}
