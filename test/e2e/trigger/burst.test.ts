import { startRecordingProxy, type RecordingProxy } from '../../support/recordingProxy';
import { until } from '../../support/processes/until';
import { forEachOf, ServiceClient, type Document } from '../../support/serviceClient';
import { itemsOf } from '../support/nodes';
import { Runs, TRIGGER } from '../support/runs';
import { setStage, STAGE_TIMEOUT_MS, type Stage } from '../support/stage';
import { acceptedOf, eventIdOf, isDelivery } from './support/deliveries';

const EVENTS = 200;
/**
 * Deliveries under way at once: few enough to be answered within the ten seconds that the service
 * waits, on a slow machine too.
 */
const AT_ONCE = 20;
const PER_MINUTE = 10;

/** What n8n runs at once: it answers a webhook only when there is room. */
const LIMITS = [-1, 1, 2];

const title = `${EVENTS} documents completed in a burst, with Download Files, a limit of %d executions`;

describe.each(LIMITS)(title, (limit) => {
	let stage: Stage;
	let recorder: RecordingProxy;
	let runs: Runs;

	beforeAll(async () => {
		stage = await setStage({
			rateLimit: PER_MINUTE,
			env: { N8N_CONCURRENCY_PRODUCTION_LIMIT: String(limit) },
			toN8n: async (n8n) => (recorder = await startRecordingProxy(n8n)),
		});
		// The limit is per key: the node has one of its own.
		const { key } = await stage.sandbox.control.createKey({ mode: 'TEST' });
		const credential = await stage.n8n.api.createCredential({
			name: 'The node',
			type: 'eSignApi',
			data: { baseUrl: stage.sandbox.url, apiKey: key },
		});
		const parameters = { events: ['document.completed'], options: { downloadFiles: ['signed'] } };
		runs = await Runs.ofTrigger({ n8n: stage.n8n, credentialId: credential.id }, parameters);
		await runs.publish();
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close());

	/**
	 * Documents out for signature, each sent with a key of its own: the limit is per key, and there
	 * are ten keys at most.
	 */
	async function outForSignature(): Promise<Document[]> {
		const { control, url } = stage.sandbox;
		return await forEachOf(EVENTS, 5, async (n) => {
			const { key } = await control.createKey({ mode: 'TEST' });
			const sent = await new ServiceClient(url, key).send(`Contract ${n}`, [
				`person${n}@example.com`,
			]);
			await control.revokeKey(key);
			return sent;
		});
	}

	/**
	 * How many executions there are. n8n lists a hundred running ones at most, unless it is asked for
	 * their status.
	 */
	async function started(): Promise<number> {
		const filter = {
			workflowId: runs.workflowId,
			status: ['new', 'running', 'waiting', 'success', 'error', 'crashed'],
		};
		const query = `filter=${encodeURIComponent(JSON.stringify(filter))}&limit=1`;
		return (await stage.n8n.api.request<{ count: number }>('GET', `/executions?${query}`)).count;
	}

	it('as many executions are started within three attempts, each of another event, and the endpoint stays on', async () => {
		const documents = await outForSignature();
		await forEachOf(EVENTS, AT_ONCE, async (n) => {
			const { id = '', recipients = [] } = documents[n] ?? {};
			await stage.sandbox.control.sign(String(recipients[0]?.id));
			await until(`the event of ${id}`, async () => acceptedOf(recorder.exchanges, id)[0]);
		});
		expect(await started()).toBe(EVENTS);
		const attempts: Record<string, number[]> = {};
		for (const exchange of recorder.exchanges.filter(isDelivery)) {
			(attempts[eventIdOf(exchange)] ??= []).push(exchange.status);
		}
		expect(Object.keys(attempts)).toHaveLength(EVENTS);
		for (const statuses of Object.values(attempts)) {
			expect(statuses).toContain(200);
			expect(statuses.length).toBeLessThanOrEqual(3);
		}
		expect(await stage.service.endpoints()).toMatchObject([{ status: 'ACTIVE' }]);
	}, 120_000);

	it('the files follow as the limit allows, and no request is refused', async () => {
		const finished = await until(
			'the first files',
			async () => {
				const listed = (await runs.list()).filter(({ status }) => status === 'success');
				return listed.length >= PER_MINUTE ? listed : undefined;
			},
			90_000,
		);
		for (const { id } of finished.slice(0, PER_MINUTE)) {
			const [item] = itemsOf(await stage.n8n.api.execution(id), TRIGGER);
			expect([Object.keys(item?.binary ?? {}), item?.json.download_errors]).toEqual([
				['signed'],
				undefined,
			]);
		}
		const requests = await stage.sandbox.control.requests();
		expect(requests.filter(({ status }) => status === 429)).toEqual([]);
	}, 120_000);
});
