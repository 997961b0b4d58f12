import { startCluster, type Cluster } from '../../../support/n8nCluster/cluster';
import { freePort } from '../../../support/n8nServer/server';
import { startRecordingProxy, type RecordingProxy } from '../../../support/recordingProxy';
import { startSplitter, type Splitter } from './splitter';
import { packed } from '../../support/packed';
import { setUp, type Stage } from '../../support/stage';

/** Its `n8n` is the main process, which has the editor and the REST API. */
export interface ClusterStage extends Stage {
	cluster: Cluster;
	/** From the service to n8n's webhook process. */
	recorder: RecordingProxy;
	/** Before two webhook processes: while it is on, each delivery goes to both. */
	splitter: Splitter;
	/**
	 * Holds the service's clock while something takes an unknown time, so that its retries come when
	 * `advance` says. Resolves, once the clock runs again, with what `during` gave.
	 */
	holdClock<T>(during: () => Promise<T>): Promise<T>;
}

/** A sandbox without a rate limit, and a real n8n in queue mode with the packed package. */
export async function setClusterStage(): Promise<ClusterStage> {
	let heldAt: number | undefined;
	const holdClock = async <T>(during: () => Promise<T>): Promise<T> => {
		heldAt = Date.now();
		try {
			return await during();
		} finally {
			heldAt = undefined;
		}
	};
	let cluster: Cluster | undefined;
	return await setUp({ clock: { now: () => heldAt ?? Date.now() } }, async (opened) => {
		const webhookPort = await freePort();
		const webhooks = (): string[] =>
			cluster?.webhooks.map(({ url }) => url) ?? [`http://127.0.0.1:${webhookPort}`];
		const splitter = await startSplitter(webhooks);
		opened.push(splitter.close);
		const recorder = await startRecordingProxy(() => splitter.url);
		opened.push(recorder.close);
		// Five is the least that n8n does not warn of; it shows soonest that a second worker takes half
		// of the work.
		cluster = await startCluster({
			webhooks: 2,
			tarball: packed().path,
			webhookPort,
			webhookUrl: recorder.url,
			concurrency: 5,
			onProgress: (message) => process.stderr.write(`${message}\n`),
		});
		opened.push(cluster.close);
		return { cluster, n8n: cluster.main, recorder, splitter, holdClock };
	});
}
