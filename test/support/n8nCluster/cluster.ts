import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverEnvironment } from '../n8nServer/environment';
import { ensureInstalled, type Installation } from '../n8nServer/installation';
import { installPackage } from '../packing';
import { freePort, startN8n, type N8nServer } from '../n8nServer/server';
import { findPrograms } from './programs';
import { postgresEnvironment, startPostgres, type Postgres } from './postgres';
import { startRedis, type Redis } from './redis';
import { ServerProcess } from './serverProcess';

export interface ClusterOptions {
	/** A packed community package, installed for every process. */
	tarball: string;
	/** Address of the webhook process; a free port unless given. */
	webhookPort?: number;
	/** What n8n gives to the service as its address; the webhook process itself unless given. */
	webhookUrl?: string;
	/** Processes that receive webhooks, at addresses of their own; one unless given. */
	webhooks?: number;
	workers?: number;
	/** Executions that one worker runs at once; n8n warns below 5. */
	concurrency?: number;
	onProgress?: (message: string) => void;
}

/** n8n in queue mode: a main process, a process that receives webhooks, and workers. */
export interface Cluster {
	/** The editor and the REST API; takes no production webhooks. */
	main: N8nServer;
	webhook: ServerProcess & { url: string };
	/** All that receive webhooks, the one above first. */
	webhooks: Array<ServerProcess & { url: string }>;
	workers: ServerProcess[];
	redis: ServerProcess;
	/** Stops every process and removes the data. */
	close(): Promise<void>;
}

/**
 * How soon n8n notices that a worker is gone: its jobs are stalled once their lock runs out.
 * Default: a minute.
 */
const STALLED = {
	QUEUE_WORKER_LOCK_DURATION: '4000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
	QUEUE_WORKER_STALLED_INTERVAL: '2000',
};

/**
 * Starts Redis, PostgreSQL and the processes of an n8n in queue mode, all on free ports of
 * 127.0.0.1 with their data in one temporary folder.
 *
 * @throws Error that says what to install when Redis or PostgreSQL is missing
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
	const programs = findPrograms();
	const installation = await ensureInstalled(options.onProgress);
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'n8n-nodes-esign-cluster-')));
	// PostgreSQL runs as another account, and its folder is inside.
	await chmod(folder, 0o711);
	const started: Array<{ stop(): Promise<void> }> = [];
	const close = async () => {
		// Redis and PostgreSQL were started first and are stopped last.
		const [postgres, redis, ...processes] = started;
		await Promise.all(processes.map(async (process) => await process.stop()));
		await Promise.all([redis?.stop(), postgres?.stop()]);
		await rm(folder, { recursive: true, force: true });
	};
	try {
		const postgres = await startPostgres(programs, join(folder, 'postgres'));
		started.push(postgres.server);
		const redis = await startRedis(programs['redis-server'], join(folder, 'redis'));
		started.push(redis.server);

		const webhookPort = options.webhookPort ?? (await freePort());
		const webhookUrl = `http://127.0.0.1:${webhookPort}`;
		const env = queueEnvironment(postgres, redis, options.webhookUrl ?? webhookUrl);
		const settings = { installation, folder, tarball: options.tarball, env };

		// It makes the tables; the others would wait for them.
		const main = await startN8n({
			tarball: options.tarball,
			userFolder: await userFolder(folder, 'main'),
			env,
			onProgress: options.onProgress,
		});
		started.push(main);

		const webhooks: Cluster['webhooks'] = [];
		for (let number = 1; number <= (options.webhooks ?? 1); number++) {
			const port = number === 1 ? webhookPort : await freePort();
			const process = await n8nProcess(settings, {
				name: `webhook-${number}`,
				args: ['webhook'],
				port,
				readyText: 'Webhook listener waiting for requests',
			});
			webhooks.push(Object.assign(process, { url: `http://127.0.0.1:${port}` }));
		}
		const workers: ServerProcess[] = [];
		for (let number = 1; number <= (options.workers ?? 2); number++) {
			const args = ['worker', `--concurrency=${options.concurrency ?? 10}`];
			const readyText = 'n8n worker is now ready';
			workers.push(await n8nProcess(settings, { name: `worker-${number}`, args, readyText }));
		}
		started.push(...webhooks, ...workers);
		await Promise.all([...webhooks, ...workers].map(async (process) => await process.start()));
		return {
			main,
			webhook: webhooks[0] as Cluster['webhook'],
			webhooks,
			workers,
			redis: redis.server,
			close,
		};
	} catch (error) {
		await close();
		throw error;
	}
}

function queueEnvironment(postgres: Postgres, redis: Redis, webhookUrl: string): NodeJS.ProcessEnv {
	return {
		...STALLED,
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		...postgresEnvironment(postgres),
		// The processes share credentials through the database, so they must share the key as well.
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
		N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
		WEBHOOK_URL: webhookUrl,
	};
}

interface Settings {
	installation: Installation;
	folder: string;
	tarball: string;
	env: NodeJS.ProcessEnv;
}

interface Role {
	name: string;
	args: string[];
	readyText: string;
	port?: number;
}

/** A process of n8n with a data folder of its own, as in a container of its own. */
async function n8nProcess(
	{ installation, folder, tarball, env }: Settings,
	role: Role,
): Promise<ServerProcess> {
	const data = await userFolder(folder, role.name);
	await installPackage(data, tarball);
	const [port, brokerPort] = [role.port ?? (await freePort()), await freePort()];
	return new ServerProcess({
		name: role.name,
		command: installation.node,
		args: [installation.n8n, ...role.args],
		cwd: data,
		env: { ...serverEnvironment(installation, { userFolder: data, port, brokerPort }), ...env },
		readyText: role.readyText,
	});
}

async function userFolder(folder: string, name: string): Promise<string> {
	const path = join(folder, name);
	await mkdir(path);
	return path;
}
