import { createHmac } from 'node:crypto';
import { freePort } from '../../harness/n8nServer/server';
import { until } from '../../harness/processes/until';
import { isDelivery } from './trigger/support/deliveries';
import { chain, eSign, itemsOf } from './support/nodes';
import { startRecordingProxy, type Exchange, type RecordingProxy } from '../../harness/recordingProxy';
import { setStage, STAGE_TIMEOUT_MS, type Stage } from './support/stage';

const TRIGGER = 'eSign Trigger';

describe('The trigger on a real n8n', () => {
	let stage: Stage;
	/** Between the service and n8n: what is delivered. */
	let deliveries: RecordingProxy;
	/** Between n8n and the service: among others the answer with the signing secret. */
	let calls: RecordingProxy;
	let workflowId: string;

	beforeAll(async () => {
		const port = await freePort();
		let service = '';
		deliveries = await startRecordingProxy(() => `http://127.0.0.1:${port}`);
		calls = await startRecordingProxy(() => service);
		stage = await setStage({
			port,
			env: { WEBHOOK_URL: deliveries.url },
			baseUrl: ({ url }) => {
				service = new URL(url).origin;
				return `${calls.url}/v1`;
			},
		});
		const { api } = stage.n8n;
		const parameters = { events: ['document.completed'], options: {} };
		const trigger = eSign(TRIGGER, 'eSignTrigger', stage.credentialId, parameters);
		const workflow = await api.createWorkflow(chain('Completed', [trigger]));
		workflowId = workflow.id;
		await api.publish(workflowId);
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => {
		await stage?.close();
		await deliveries?.close();
		await calls?.close();
	});

	/** Ids of the documents that started an execution, in their order, once there are `count`. */
	async function started(count: number): Promise<string[]> {
		const executions = await stage.n8n.api.finishedExecutions(workflowId, count);
		return executions.flatMap((execution) =>
			itemsOf(execution, TRIGGER).map(({ json }) => (json.document as { id: string }).id),
		);
	}

	async function executionCount(): Promise<number> {
		return (await stage.n8n.api.executions(workflowId)).length;
	}

	/** The last delivery that n8n accepted. */
	function genuine(): Exchange {
		const delivery = deliveries.exchanges.findLast((exchange) => isDelivery(exchange) && exchange.status === 200);
		if (!delivery) throw new Error('Nothing was delivered');
		return delivery;
	}

	/** Delivers to n8n itself. */
	async function deliver({ path, headers, body }: Pick<Exchange, 'path' | 'headers' | 'body'>): Promise<number> {
		const sent = Object.entries(headers).filter(([name]) => name.startsWith('x-esign-') || name === 'content-type');
		const response = await fetch(stage.n8n.url + path, {
			method: 'POST',
			headers: sent as Array<[string, string]>,
			body: new Uint8Array(body),
		});
		await response.text();
		return response.status;
	}

	/** A delivery that the service could have made at that time: signed with the secret that it gave to n8n. */
	function signedDelivery(body: Buffer, seconds: number): Pick<Exchange, 'path' | 'headers' | 'body'> {
		const created = calls.exchanges.findLast(({ method, path }) => method === 'POST' && path === '/v1/webhooks');
		const secret = (JSON.parse(String(created?.answer)) as { signing_secret: string }).signing_secret;
		const v1 = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
		const { path, headers } = genuine();
		const { id, event } = JSON.parse(String(body)) as { id: string; event: string };
		const about = { 'x-esign-event': event, 'x-esign-event-id': id };
		return { path, body, headers: { ...headers, ...about, 'x-esign-signature': `t=${seconds},v1=${v1}` } };
	}

	/** The genuine event under another id, so that it is no repetition. */
	const anotherEvent = (id: string) =>
		Buffer.from(
			genuine()
				.body.toString()
				.replace(/"evt_[^"]*"/, `"${id}"`),
		);
	const now = () => Math.floor(Date.now() / 1000);

	it('publishing registers one endpoint, at the public address of this n8n', async () => {
		const endpoints = await stage.service.endpoints();
		expect(endpoints).toMatchObject([{ events: ['document.completed'], status: 'ACTIVE' }]);
		expect(endpoints[0]?.url.startsWith(`${deliveries.url}/webhook/`)).toBe(true);
	});

	it('a completed document starts one execution, with the payload as it was sent', async () => {
		const { id } = await stage.service.complete('First', ['ada@example.com']);
		expect(await started(1)).toEqual([id]);
		const [execution] = await stage.n8n.api.finishedExecutions(workflowId, 1);
		expect(itemsOf(execution, TRIGGER).map(({ json }) => json)).toEqual([JSON.parse(genuine().body.toString())]);
	});

	it('the same delivery again is accepted and starts nothing', async () => {
		const before = await executionCount();
		expect(await deliver(genuine())).toBe(200);
		expect(await deliver(genuine())).toBe(200);
		expect(await executionCount()).toBe(before);
	});

	it('one changed byte, no signature, or a signature of another secret gets 401 and starts nothing', async () => {
		const before = await executionCount();
		const { path, headers, body } = genuine();
		const changed = Buffer.from(body.toString().replace('"First"', '"Firsu"'));
		expect(changed.equals(body)).toBe(false);
		expect(await deliver({ path, headers, body: changed })).toBe(401);
		const { 'x-esign-signature': signature, ...unsigned } = headers;
		expect(signature).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
		expect(await deliver({ path, headers: unsigned, body })).toBe(401);
		const v1 = createHmac('sha256', 'another secret').update(`${now()}.`).update(body).digest('hex');
		expect(await deliver({ path, headers: { ...headers, 'x-esign-signature': `t=${now()},v1=${v1}` }, body })).toBe(
			401,
		);
		expect(await executionCount()).toBe(before);
	});

	it('a delivery 301 seconds old gets 401; the same one, signed just now, starts an execution', async () => {
		const before = await executionCount();
		const body = anotherEvent('evt_stale_or_not');
		expect(await deliver(signedDelivery(body, now() - 301))).toBe(401);
		expect(await deliver(signedDelivery(body, now() + 310))).toBe(401);
		expect(await executionCount()).toBe(before);
		expect(await deliver(signedDelivery(body, now()))).toBe(200);
		expect(await started(before + 1)).toHaveLength(before + 1);
	});

	it('an event that was not chosen is accepted and starts nothing', async () => {
		const before = await executionCount();
		const other = Buffer.from(anotherEvent('evt_other').toString().replace('document.completed', 'document.sent'));
		const delivery = signedDelivery(other, now());
		expect(await deliver({ ...delivery, headers: { ...delivery.headers, 'x-esign-event': 'document.sent' } })).toBe(
			200,
		);
		expect(await executionCount()).toBe(before);
	});

	it.each(['stop', 'kill'] as const)(
		'after a %s and a start there is one endpoint, and the trigger fires',
		async (end) => {
			const before = await executionCount();
			const [endpoint] = await stage.service.endpoints();
			await stage.n8n[end]();
			await stage.n8n.start();
			const { id } = await stage.service.complete(`After a ${end}`, ['ada@example.com']);
			expect((await started(before + 1)).at(-1)).toBe(id);
			expect(await stage.service.endpoints()).toEqual([endpoint]);
		},
	);

	it('what happened while n8n was down arrives when it is up again, once', async () => {
		const before = await executionCount();
		await stage.n8n.stop();
		const { id } = await stage.service.complete('While it was down', ['ada@example.com']);
		await stage.sandbox.control.advance(20);
		await until('the service to give up', async () => {
			const attempts = deliveries.exchanges.filter(({ body, status }) => status === 502 && body.includes(id));
			return attempts.length === 3 ? attempts : undefined;
		});
		await stage.n8n.start();
		expect((await started(before + 1)).at(-1)).toBe(id);
		expect(await executionCount()).toBe(before + 1);
	});

	it('taking the workflow out of service removes the endpoint', async () => {
		await stage.n8n.api.unpublish(workflowId);
		expect(await stage.service.endpoints()).toEqual([]);
	});
});
