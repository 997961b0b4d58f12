import { startSandbox, type Sandbox } from '../../../sandbox';
import { postgresEnvironment, startTemporaryPostgres } from '../../../harness/n8nCluster/postgres';
import { startN8n, type N8nServer, type N8nServerOptions } from '../../../harness/n8nServer/server';
import { packed } from './packed';
import { ServiceClient } from '../../../harness/serviceClient';

/** The first installation of n8n into the cache takes minutes; later starts take seconds. */
export const STAGE_TIMEOUT_MS = 15 * 60_000;

export interface Stage {
	sandbox: Sandbox;
	service: ServiceClient;
	n8n: N8nServer;
	/** An eSign credential for the sandbox's test key. */
	credentialId: string;
	close(): Promise<void>;
}

export interface StageOptions extends Pick<N8nServerOptions, 'env' | 'port'> {
	/** What the credential names as the address of the service; the sandbox itself unless given. */
	baseUrl?: (sandbox: Sandbox) => string;
	/** The service's requests a minute for each key; no limit unless given. */
	rateLimit?: number;
	/** Where n8n keeps its data; SQLite unless given. */
	database?: 'sqlite' | 'postgres';
}

/** A sandbox, and a real n8n with the packed package and a credential for that sandbox. */
export async function setStage(options: StageOptions = {}): Promise<Stage> {
	const { baseUrl = ({ url }) => url, database = 'sqlite', env = {}, port, rateLimit = 0 } = options;
	// What has been opened so far, newest last: closed in reverse, also when the rest cannot be.
	const opened: Array<() => Promise<void>> = [];
	const close = async () => {
		for (const one of opened.splice(0).reverse()) await one();
	};
	try {
		const sandbox = await startSandbox({ rateLimit });
		opened.push(async () => await sandbox.close());
		const onProgress = (message: string) => process.stderr.write(`${message}\n`);
		const databaseEnv: NodeJS.ProcessEnv = {};
		if (database === 'postgres') {
			const postgres = await startTemporaryPostgres();
			opened.push(async () => await postgres.close());
			Object.assign(databaseEnv, postgresEnvironment(postgres));
		}
		const n8n = await startN8n({ port, env: { ...databaseEnv, ...env }, tarball: packed().path, onProgress });
		opened.push(async () => await n8n.close());
		const credential = await n8n.api.createCredential({
			name: 'eSign account',
			type: 'eSignApi',
			data: { baseUrl: baseUrl(sandbox), apiKey: sandbox.keys.test },
		});
		return {
			sandbox,
			service: new ServiceClient(sandbox.url, sandbox.keys.test),
			n8n,
			credentialId: credential.id,
			close,
		};
	} catch (error) {
		await close();
		throw error;
	}
}
