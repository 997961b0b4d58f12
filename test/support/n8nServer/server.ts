import { randomInt } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from './apiClient';
import { serverEnvironment } from './environment';
import { GuardedProcess, runGuarded } from '../processes/guardedProcess';
import { ensureInstalled, type Installation, type N8nLine } from './installation';
import { installPackage } from '../packing';
import { until } from '../processes/until';

export interface N8nServerOptions {
	/** A packed community package to install before the first start. */
	tarball?: string;
	/** n8n's data; a temporary folder, removed at the end, unless given. */
	userFolder?: string;
	/** Environment on top of the defaults, `WEBHOOK_URL` for instance. */
	env?: NodeJS.ProcessEnv;
	/** A free one unless given. */
	port?: number;
	/** Told what is being done while the server is installed. */
	onProgress?: (message: string) => void;
}

const START_TIMEOUT_MS = 120_000;

/**
 * Starts a real n8n server on 127.0.0.1, with an owner, and waits until it serves its REST API and
 * has activated the workflows published before.
 */
export async function startN8n(options: N8nServerOptions = {}): Promise<N8nServer> {
	const installation = await ensureInstalled(options.onProgress);
	const temporary = options.userFolder === undefined;
	const userFolder = await realpath(
		options.userFolder ?? (await mkdtemp(join(tmpdir(), 'n8n-nodes-esign-user-'))),
	);
	const server = new N8nServer(installation, {
		userFolder,
		temporary,
		port: options.port ?? (await freePort()),
		brokerPort: await freePort(),
		env: options.env ?? {},
	});
	try {
		if (options.tarball) await installPackage(userFolder, options.tarball);
		await server.start();
		await server.api.signIn();
	} catch (error) {
		await server.close();
		throw error;
	}
	return server;
}

/** Where systems begin to hand out ports by themselves, to every outgoing connection too. */
const EPHEMERAL = 32_768;

/** What this process has drawn: its server may listen only minutes later. */
const givenOut = new Set<number>();

/**
 * A port of 127.0.0.1 that nobody listens on. It stays free until its server listens: it is drawn
 * from where systems hand out none, and out of so many that two processes do not meet.
 */
export async function freePort(): Promise<number> {
	for (;;) {
		const port = randomInt(EPHEMERAL / 2, EPHEMERAL);
		if (givenOut.has(port)) continue;
		const probe = createServer();
		const isFree = await new Promise<boolean>((resolve, reject) => {
			probe.once('error', (error: NodeJS.ErrnoException) => {
				if (error.code === 'EADDRINUSE') resolve(false);
				else reject(error);
			});
			probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
		});
		if (!isFree) continue;
		givenOut.add(port);
		return port;
	}
}

/** What another process needs to know of a running n8n. */
export interface N8nSettings {
	userFolder: string;
	temporary: boolean;
	port: number;
	brokerPort: number;
	env: NodeJS.ProcessEnv;
}

/** One n8n and its data: it can be stopped, killed and started again over the same data. */
export class N8nServer {
	/** Address of the editor, without a trailing slash. */
	readonly url: string;
	/** REST client; its session stays good across restarts. */
	readonly api: ApiClient;
	private process: GuardedProcess | undefined;

	constructor(
		private readonly installation: Installation,
		readonly settings: N8nSettings,
	) {
		this.url = `http://127.0.0.1:${settings.port}`;
		this.api = new ApiClient(this.url, installation.line);
	}

	get userFolder(): string {
		return this.settings.userFolder;
	}

	get line(): N8nLine {
		return this.installation.line;
	}

	/** The id of the server's process group, while it runs. */
	get pid(): number | undefined {
		return this.process?.running ? this.process.pid : undefined;
	}

	/** What the server has written since its last start. */
	get logs(): string {
		return this.process?.logs ?? '';
	}

	async start(): Promise<void> {
		if (this.process?.running) throw new Error('This n8n is running already');
		this.process = new GuardedProcess(this.installation.node, [this.installation.n8n, 'start'], {
			cwd: this.userFolder,
			env: this.environment(),
		});
		await this.ready(this.process);
	}

	/** Stops n8n as its operator would (SIGTERM), waiting until it is gone. */
	async stop(): Promise<void> {
		await this.process?.stop();
	}

	/** Ends n8n at once (SIGKILL), as a crash would. */
	async kill(): Promise<void> {
		await this.process?.kill();
	}

	async restart(): Promise<void> {
		await this.stop();
		await this.start();
	}

	/** Stops n8n and removes its data if they were temporary. */
	async close(): Promise<void> {
		await this.stop();
		if (this.settings.temporary) await rm(this.userFolder, { recursive: true, force: true });
	}

	/**
	 * Runs one of n8n's own commands over the same data, `['export:nodes', '--output=FILE']` for
	 * instance.
	 */
	async cli(args: string[]): Promise<string> {
		return await runGuarded(this.installation.node, [this.installation.n8n, ...args], {
			cwd: this.userFolder,
			env: this.environment(),
		});
	}

	private environment(): NodeJS.ProcessEnv {
		return { ...serverEnvironment(this.installation, this.settings), ...this.settings.env };
	}

	/**
	 * `/healthz` answers before the REST API does, and the editor's address is logged after the
	 * workflows are active.
	 */
	private async ready(started: GuardedProcess): Promise<void> {
		await until(
			'n8n to start',
			async () => {
				if (!started.running) return 'ended';
				const response = await fetch(`${this.url}/rest/settings`);
				const isJson = response.headers.get('content-type')?.startsWith('application/json');
				// "Database is not ready!" is JSON too.
				return response.ok && isJson && started.logs.includes('Editor is now accessible')
					? 'ready'
					: undefined;
			},
			START_TIMEOUT_MS,
		);
		if (!started.running)
			throw new Error(`n8n ended while starting:\n${started.logs.slice(-4000)}`);
	}
}

/** An n8n that another process has started: to be used, and not to be stopped. */
export type RunningN8n = Pick<N8nServer, 'url' | 'api' | 'userFolder' | 'line' | 'cli'>;

/** The n8n that another process has started with these settings; nobody is signed in yet. */
export async function runningN8n(settings: N8nSettings): Promise<RunningN8n> {
	return new N8nServer(await ensureInstalled(), settings);
}
