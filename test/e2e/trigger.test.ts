import { createHmac } from 'node:crypto';
import { startRecordingProxy, type RecordingProxy } from '../../harness/recordingProxy';
import { chain, eSign, itemsOf } from './support/nodes';
import { setSharedStage, STAGE_TIMEOUT_MS, type SharedStage } from './support/stage';
import { deliverAgain, deliveryLog } from './trigger/support/deliveries';

const TRIGGER = 'eSign Trigger';

describe('The trigger on a real n8n', () => {
	let stage: SharedStage;
	/** Between n8n and the service: among others the answer with the signing secret. */
	let calls: RecordingProxy;
	let workflowId: string;

	beforeAll(async () => {
		let service = '';
		calls = await startRecordingProxy(() => service);
		stage = await setSharedStage({
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
		await calls?.close();
	});

	/** Ids of the documents that started an execution, in their order, once there are `count`. */
	async function started(count: number): Promise<string[]> {
		const executions = await stage.n8n.api.finishedExecutions(workflowId, count);
		return executions.flatMap((execution) =>
			itemsOf(execution, TRIGGER).map(({ json }) => (json.document as { id: string }).id),
		);
	}

	const executionCount = async () => (await stage.n8n.api.executions(workflowId)).length;
	const now = () => Math.floor(Date.now() / 1000);

	/** The secret that the service gave to n8n. */
	function secretOfTheEndpoint(): string {
		const created = calls.exchanges.findLast(({ method, path }) => method === 'POST' && path === '/v1/webhooks');
		return (JSON.parse(String(created?.answer)) as { signing_secret: string }).signing_secret;
	}

	/** What the service delivered for the first document. */
	async function genuine(): Promise<string> {
		const [endpoint] = await stage.service.endpoints();
		const log = await deliveryLog(stage.service, endpoint?.id ?? '');
		return JSON.stringify(log.find(({ succeeded }) => succeeded)?.payload);
	}

	/** The header that the service would sign this body with. */
	function sign(body: string, { at = now(), secret = secretOfTheEndpoint() } = {}): Record<string, string> {
		const v1 = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
		return { 'x-esign-signature': `t=${at},v1=${v1}` };
	}

	/** Delivers to n8n itself. */
	async function deliver(body: string, signature = sign(body)): Promise<{ status: number; text: string }> {
		const [endpoint] = await stage.service.endpoints();
		const { pathname: path } = new URL(String(endpoint?.url));
		const { id, event } = JSON.parse(body) as { id: string; event: string };
		const about = { 'content-type': 'application/json', 'x-esign-event': event, 'x-esign-event-id': id };
		return await deliverAgain(stage.n8n.url, { path, headers: { ...about, ...signature }, body: Buffer.from(body) });
	}

	/** The genuine event under another id, so that it is no repetition. */
	const anotherEvent = async (id: string) => (await genuine()).replace(/"evt_[^"]*"/, `"${id}"`);

	it('publishing registers one endpoint, at the public address of this n8n', async () => {
		const endpoints = await stage.service.endpoints();
		expect(endpoints).toMatchObject([{ events: ['document.completed'], status: 'ACTIVE' }]);
		expect(endpoints[0]?.url.startsWith(`${stage.n8n.url}/webhook/`)).toBe(true);
	});

	it('a completed document starts one execution, with the payload as it was sent', async () => {
		const { id } = await stage.service.complete('First', ['ada@example.com']);
		expect(await started(1)).toEqual([id]);
		const [execution] = await stage.n8n.api.finishedExecutions(workflowId, 1);
		expect(itemsOf(execution, TRIGGER).map(({ json }) => json)).toEqual([JSON.parse(await genuine())]);
	});

	it('one changed byte, no signature, or a signature of another secret gets 401 and starts nothing', async () => {
		const before = await executionCount();
		const body = await anotherEvent('evt_forged');
		const changed = body.replace('"First"', '"Firsu"');
		expect(changed).not.toBe(body);
		expect(await deliver(changed, sign(body))).toMatchObject({ status: 401 });
		expect(await deliver(body, {})).toMatchObject({ status: 401 });
		expect(await deliver(body, sign(body, { secret: 'another secret' }))).toMatchObject({ status: 401 });
		expect(await executionCount()).toBe(before);
	});

	it('taking the workflow out of service removes the endpoint', async () => {
		await stage.n8n.api.unpublish(workflowId);
		expect(await stage.service.endpoints()).toEqual([]);
	});
});
