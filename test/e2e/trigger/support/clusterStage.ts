import { startSandbox, type Sandbox } from '../../../../sandbox';
import { startCluster, type Cluster } from '../../../../harness/n8nCluster/cluster';
import { freePort } from '../../../../harness/n8nServer/server';
import { packed } from '../../support/packed';
import { startRecordingProxy, type RecordingProxy } from '../../../../harness/recordingProxy';
import { ServiceClient } from '../../../../harness/serviceClient';
import { startGateway, type Gateway } from '../../../../harness/gateway';

export interface ClusterStage {
	sandbox: Sandbox;
	service: ServiceClient;
	cluster: Cluster;
	/** An eSign credential for the sandbox's test key. */
	credentialId: string;
	/** From the service to n8n's webhook process. */
	recorder: RecordingProxy;
	/** From n8n to the service. */
	gateway: Gateway;
	/**
	 * Holds the service's clock while something takes an unknown time, so that its retries come when `advance` says.
	 * Resolves, once the clock runs again, with what `during` gave.
	 */
	holdClock<T>(during: () => Promise<T>): Promise<T>;
	close(): Promise<void>;
}

/** A sandbox without a rate limit, and a real n8n in queue mode with the packed package. */
export async function setClusterStage(): Promise<ClusterStage> {
	const open: Array<() => Promise<void>> = [];
	const close = async () => {
		for (const end of open.reverse()) await end();
	};
	try {
		let heldAt: number | undefined;
		const sandbox = await startSandbox({ rateLimit: 0, clock: { now: () => heldAt ?? Date.now() } });
		open.push(async () => await sandbox.close());
		const webhookPort = await freePort();
		const recorder = await startRecordingProxy(() => `http://127.0.0.1:${webhookPort}`);
		open.push(recorder.close);
		const gateway = await startGateway(() => sandbox.url);
		open.push(gateway.close);
		const onProgress = (message: string) => process.stderr.write(`${message}\n`);
		// Five is the least that n8n does not warn of; it shows soonest that a second worker takes half of the work.
		const cluster = await startCluster({
			tarball: packed().path,
			webhookPort,
			webhookUrl: recorder.url,
			concurrency: 5,
			onProgress,
		});
		open.push(cluster.close);
		const credential = await cluster.main.api.createCredential({
			name: 'eSign account',
			type: 'eSignApi',
			data: { baseUrl: `${gateway.url}/v1`, apiKey: sandbox.keys.test },
		});
		const service = new ServiceClient(sandbox.url, sandbox.keys.test);
		const holdClock = async <T>(during: () => Promise<T>): Promise<T> => {
			heldAt = Date.now();
			try {
				return await during();
			} finally {
				heldAt = undefined;
			}
		};
		return { sandbox, service, cluster, credentialId: credential.id, recorder, gateway, holdClock, close };
	} catch (error) {
		await close();
		throw error;
	}
}
