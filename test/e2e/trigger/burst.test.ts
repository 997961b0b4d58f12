import { sized } from '../../../harness/nightly';
import { startRecordingProxy, type RecordingProxy } from '../../../harness/recordingProxy';
import { freePort } from '../../../harness/n8nServer/server';
import { until } from '../../../harness/processes/until';
import { forEachOf, type Document } from '../../../harness/serviceClient';
import { chain, eSign, itemsOf } from '../support/nodes';
import { setStage, STAGE_TIMEOUT_MS, type Stage } from '../support/stage';
import { acceptedOf, eventIdOf, isDelivery } from './support/deliveries';
import { Runs } from './support/runs';

const EVENTS = sized(60, 200);
/** Deliveries under way at once: few enough to be answered within the ten seconds that the service waits, on a slow machine too. */
const AT_ONCE = 20;
const PER_MINUTE = 10;
const TRIGGER = 'eSign Trigger';

interface Template {
	id: string;
	roles: Array<{ id: string; role: string; type: string }>;
}

describe(`${EVENTS} documents completed in a burst, with Download Files at ten requests a minute`, () => {
	let stage: Stage;
	let recorder: RecordingProxy;
	let workflowId: string;
	let runs: Runs;

	beforeAll(async () => {
		const port = await freePort();
		recorder = await startRecordingProxy(() => `http://127.0.0.1:${port}`);
		stage = await setStage({ port, env: { WEBHOOK_URL: recorder.url }, rateLimit: PER_MINUTE });
		// The limit is per key: the node has one of its own.
		const { key } = await stage.sandbox.control.createKey({ mode: 'TEST' });
		const credential = await stage.n8n.api.createCredential({
			name: 'The node',
			type: 'eSignApi',
			data: { baseUrl: stage.sandbox.url, apiKey: key },
		});
		const trigger = eSign(TRIGGER, 'eSignTrigger', credential.id, {
			events: ['document.completed'],
			options: { downloadFiles: ['signed'] },
		});
		({ id: workflowId } = await stage.n8n.api.createWorkflow(chain('Burst', [trigger])));
		runs = new Runs(stage.n8n.api, workflowId, TRIGGER);
		await stage.n8n.api.publish(workflowId);
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => {
		await stage?.close();
		await recorder?.close();
	});

	/** Documents out for signature, and who is to sign. They come through a public link, which takes no request of the key. */
	async function outForSignature(): Promise<Array<{ documentId: string; signerId: string }>> {
		const { service, sandbox } = stage;
		const { data } = await service.api<{ data: Template[] }>('GET', '/templates');
		const offer = data.find(({ roles }) => roles.filter(({ type }) => type === 'SIGNER').length === 1);
		const { id, roles } = await service.api<Template>('GET', `/templates/${offer?.id}`);
		const open = roles.filter(({ type }) => type === 'SIGNER');
		const { slug } = await service.api<{ slug: string }>('POST', `/templates/${id}/links`, {
			signers: open.map((role) => ({ placeholder_id: role.id, is_open: true })),
		});
		await forEachOf(EVENTS, AT_ONCE, async (n) => {
			await sandbox.control.startLink(slug, { name: `Person ${n}`, email: `person${n}@example.com` });
		});
		const found: Document[] = [];
		for (let cursor = ''; found.length < EVENTS;) {
			const page = await service.api<{ data: Document[]; next_cursor: string }>(
				'GET',
				`/documents?status=in_progress&limit=100${cursor}`,
			);
			found.push(...page.data);
			cursor = `&cursor=${page.next_cursor}`;
		}
		return found.slice(0, EVENTS).flatMap(({ id: documentId, recipients }) => {
			const signer = recipients.find(({ role }) => open.some((one) => one.role === role));
			return signer ? [{ documentId, signerId: signer.id }] : [];
		});
	}

	/** How many executions there are. n8n lists a hundred running ones at most, unless it is asked for their status. */
	async function started(): Promise<number> {
		const filter = { workflowId, status: ['new', 'running', 'waiting', 'success', 'error', 'crashed'] };
		const query = `filter=${encodeURIComponent(JSON.stringify(filter))}&limit=1`;
		return (await stage.n8n.api.request<{ count: number }>('GET', `/executions?${query}`)).count;
	}

	it('as many executions are started within three attempts, each of another event, and the endpoint stays on', async () => {
		const documents = await outForSignature();
		expect(documents).toHaveLength(EVENTS);
		const began = performance.now();
		await forEachOf(EVENTS, AT_ONCE, async (n) => {
			const { documentId = '', signerId = '' } = documents[n] ?? {};
			await stage.sandbox.control.sign(signerId);
			await until(`the event of ${documentId}`, async () => acceptedOf(recorder.exchanges, documentId)[0]);
		});
		const seconds = Math.round((performance.now() - began) / 1_000);
		process.stderr.write(`${EVENTS} documents: signed, and accepted by n8n, within ${seconds} s\n`);
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
			expect([Object.keys(item?.binary ?? {}), item?.json.download_errors]).toEqual([['signed'], undefined]);
		}
		const requests = await stage.sandbox.control.requests();
		expect(requests.filter(({ status }) => status === 429)).toEqual([]);
	}, 120_000);
});
