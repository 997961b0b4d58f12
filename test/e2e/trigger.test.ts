import { createHmac } from 'node:crypto';
import { startRecordingProxy, type RecordingProxy } from '../../harness/recordingProxy';
import { eventsOf, Runs } from './support/runs';
import { setSharedStage, STAGE_TIMEOUT_MS, type SharedStage } from './support/stage';
import { deliverAgain } from './trigger/support/deliveries';

describe('The trigger on a real n8n', () => {
	let stage: SharedStage;
	/** Between n8n and the service: among others the answer with the signing secret. */
	let calls: RecordingProxy;
	let runs: Runs;

	beforeAll(async () => {
		stage = await setSharedStage({ toService: async (service) => (calls = await startRecordingProxy(service)) });
		runs = await Runs.ofTrigger(stage, { events: ['document.completed'] });
		await runs.publish();
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close());

	const now = () => Math.floor(Date.now() / 1000);

	/** The secret that the service gave to n8n. */
	function secretOfTheEndpoint(): string {
		const created = calls.exchanges.findLast(({ method, path }) => method === 'POST' && path === '/v1/webhooks');
		return (JSON.parse(String(created?.answer)) as { signing_secret: string }).signing_secret;
	}

	/** What the service delivered for the first document. */
	async function genuine(): Promise<string> {
		const [endpoint] = await stage.service.endpoints();
		const log = await stage.service.deliveries(endpoint?.id ?? '');
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
		const all = await runs.settled(1);
		expect(eventsOf(all)).toMatchObject([{ document: { id } }]);
		expect(eventsOf(all)).toEqual([JSON.parse(await genuine())]);
	});

	it('one changed byte, no signature, or a signature of another secret gets 401 and starts nothing', async () => {
		const before = await runs.count();
		const body = await anotherEvent('evt_forged');
		const changed = body.replace('"First"', '"Firsu"');
		expect(changed).not.toBe(body);
		expect(await deliver(changed, sign(body))).toMatchObject({ status: 401 });
		expect(await deliver(body, {})).toMatchObject({ status: 401 });
		expect(await deliver(body, sign(body, { secret: 'another secret' }))).toMatchObject({ status: 401 });
		expect(await runs.count()).toBe(before);
	});

	it('taking the workflow out of service removes the endpoint', async () => {
		await runs.end();
		expect(await stage.service.endpoints()).toEqual([]);
	});
});
