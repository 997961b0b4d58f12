import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox';
import { postgresEnvironment, startTemporaryPostgres } from '../../support/n8nCluster/postgres';
import {
	freePort,
	startN8n,
	type N8nServer,
	type N8nServerOptions,
	type RunningN8n,
} from '../../support/n8nServer/server';
import { packed } from './packed';
import { ServiceClient } from '../../support/serviceClient';
import { joinSharedN8n, type SharedN8n } from './sharedN8n';

/** The first installation of n8n into the cache takes minutes; later starts take seconds. */
export const STAGE_TIMEOUT_MS = 15 * 60_000;

/** What every stage has. */
interface Base {
	sandbox: Sandbox;
	service: ServiceClient;
	/** An eSign credential for the sandbox's test key. */
	credentialId: string;
	close(): Promise<void>;
}

/** An n8n for this file alone, which it may stop and kill. */
export interface Stage extends Base {
	n8n: N8nServer;
}

/** A person of this file's own in the n8n that all files share. */
export interface SharedStage extends Base, SharedN8n {}

/** Starts a gateway or a recorder before a server. */
type StartWay = (target: () => string) => Promise<{ url: string; close(): Promise<void> }>;

export interface ServiceOptions extends Pick<SandboxOptions, 'clock' | 'rateLimit' | 'rateWindow'> {
	/** Starts what stands between n8n and the service, until the stage is closed. */
	toService?: StartWay;
}

export interface StageOptions extends ServiceOptions, Pick<N8nServerOptions, 'env'> {
	/** Starts what stands before n8n, until the stage is closed: its address is n8n's public one. */
	toN8n?: StartWay;
	/** Where n8n keeps its data; SQLite unless given. */
	database?: 'sqlite' | 'postgres';
}

/**
 * What has been opened so far, newest last: closed in reverse, also when the rest cannot be opened.
 */
type Opened = Array<() => Promise<unknown>>;

/**
 * A sandbox without a rate limit, and a place in the n8n that all files share, with a credential
 * for that sandbox.
 */
export async function setSharedStage(options: ServiceOptions = {}): Promise<SharedStage> {
	return await setUp(options, async (opened) => {
		const shared = await joinSharedN8n();
		opened.push(async () => await shared.n8n.api.unpublishAll());
		return shared;
	});
}

/**
 * A sandbox without a rate limit, and a real n8n of its own with the packed package and a
 * credential for that sandbox.
 */
export async function setStage({
	database = 'sqlite',
	env,
	toN8n,
	...options
}: StageOptions = {}): Promise<Stage> {
	return await setUp(options, async (opened) => {
		const databaseEnv: NodeJS.ProcessEnv = {};
		if (database === 'postgres') {
			const postgres = await startTemporaryPostgres();
			opened.push(async () => await postgres.close());
			Object.assign(databaseEnv, postgresEnvironment(postgres));
		}
		const onProgress = (message: string) => process.stderr.write(`${message}\n`);
		const port = await freePort();
		const way = await toN8n?.(() => `http://127.0.0.1:${port}`);
		if (way) opened.push(way.close);
		const variables = { ...databaseEnv, ...(way && { WEBHOOK_URL: way.url }), ...env };
		const n8n = await startN8n({ port, env: variables, tarball: packed().path, onProgress });
		opened.push(async () => await n8n.close());
		return { n8n };
	});
}

/** A sandbox, an n8n that `start` starts, and a credential for that sandbox. */
export async function setUp<Started extends { n8n: RunningN8n }>(
	options: ServiceOptions,
	start: (opened: Opened) => Promise<Started>,
): Promise<Base & Started> {
	const { toService, rateLimit = 0, ...others } = options;
	const opened: Opened = [];
	const close = async () => {
		for (const one of opened.splice(0).reverse()) await one();
	};
	try {
		const sandbox = await startSandbox({ rateLimit, ...others });
		opened.push(async () => await sandbox.close());
		const way = await toService?.(() => new URL(sandbox.url).origin);
		if (way) opened.push(way.close);
		const started = await start(opened);
		const { id: credentialId } = await started.n8n.api.createCredential({
			name: 'eSign account',
			type: 'eSignApi',
			data: { baseUrl: way ? `${way.url}/v1` : sandbox.url, apiKey: sandbox.keys.test },
		});
		return {
			...started,
			sandbox,
			service: new ServiceClient(sandbox.url, sandbox.keys.test),
			credentialId,
			close,
		};
	} catch (error) {
		await close();
		throw error;
	}
}
