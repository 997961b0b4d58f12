import type { EventType } from '../../../nodes/ESign/client';
import { EVENT_OPTIONS } from '../../../nodes/ESign/service/events';
import { SEED, sized } from '../../../harness/nightly';
import { seededRandom } from '../../../harness/seededRandom';
import { deliver, payloadOf, signatureOf } from '../support/deliveries';
import { captureLog } from '../support/log';
import { clock, N8nInstance, type StoredWorkflow } from '../support/n8nInstance';

const SECRET = 'whsec_test';
const STRANGERS = sized(1_000, 10_000);
const ALL_EVENTS = EVENT_OPTIONS.map(({ value }) => value);

let n8n: N8nInstance;
let workflow: StoredWorkflow;
let url: string;
let logged: string[];

/** An active workflow with an endpoint whose secret is SECRET. */
beforeEach(async () => {
	n8n = new N8nInstance({ baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'sk_test_unused' });
	await n8n.start();
	logged = captureLog();
	workflow = n8n.add({ events: ALL_EVENTS }, { active: true });
	url = n8n.productionUrl(workflow);
	const endpoint = { id: 'whk_1', secret: SECRET, url, owner: 'x', events: ALL_EVENTS, at: 1 };
	workflow.staticData = { global: { [`eSign/${workflow.node.id}/endpoint/whk_1`]: endpoint } };
});

afterEach(async () => {
	jest.restoreAllMocks();
	workflow.active = false;
	await n8n.end();
});

const signed = (body: string) => ({ 'x-esign-signature': signatureOf(body, { secret: SECRET }) });

it('a genuine delivery is verified over its bytes, whatever their form and content type', async () => {
	const body = `{ "id":"evt_bytes",\n\t"event" : "document.sent", "extra": 1.0, "document":{"title":"\\u00e9 é"} }`;
	for (const type of ['application/json', 'text/plain', 'application/octet-stream', 'application/vnd.esign+json']) {
		const named = body.replace('evt_bytes', `evt_${type}`);
		expect(await deliver(url, named, { 'content-type': type, ...signed(named) })).toMatchObject({ status: 200 });
	}
	const expected = { event: 'document.sent', extra: 1, document: { title: 'é é' } };
	expect(n8n.itemsOf(workflow)).toHaveLength(4);
	expect(n8n.itemsOf(workflow)[0]).toEqual({ json: { id: 'evt_application/json', ...expected } });
});

it('an event that n8n takes long to start is answered after seven seconds, also if its sender has hung up, and starts once', async () => {
	const body = JSON.stringify(payloadOf('document.sent'));
	let finish: () => void = () => undefined;
	n8n.beforeAnswer = async () => await new Promise<void>((resolve) => (finish = resolve));
	const sender = new AbortController();
	const first = fetch(url, { method: 'POST', body, headers: signed(body), signal: sender.signal });
	while (n8n.pending === 0) await new Promise((resolve) => setTimeout(resolve, 5));
	sender.abort();
	await expect(first).rejects.toThrow();
	expect(await clock.during(deliver(url, body, signed(body)))).toMatchObject({ status: 200 });

	const finishFirst = finish;
	const otherBody = JSON.stringify(payloadOf('document.sent'));
	const other = deliver(url, otherBody, signed(otherBody));
	while (n8n.pending === 1) await new Promise((resolve) => setTimeout(resolve, 5));
	expect(await clock.during(other)).toEqual({ status: 200, text: expect.stringContaining('has room') as string });
	expect(n8n.itemsOf(workflow)).toEqual([]);
	finish();
	finishFirst();
	while (n8n.pending > 0) await new Promise((resolve) => setTimeout(resolve, 5));
	expect(await deliver(url, body, signed(body))).toMatchObject({ status: 200 });
	expect(n8n.itemsOf(workflow)).toHaveLength(2);
});

describe(`${STRANGERS} deliveries of strangers`, () => {
	it('start nothing, hang nothing and leave nothing behind, while each genuine one among them runs once', async () => {
		// 1.x saves static data after every delivery: one that starts the workflow must not write to it.
		n8n.savesWithExecution = true;
		const random = seededRandom(SEED);
		const before = JSON.stringify(workflow.staticData);
		const below = (limit: number) => Math.floor(random() * limit);
		const forgeries: Array<(body: string) => { body: string | Buffer; header: string }> = [
			(body) => ({ body, header: signatureOf(body, { secret: `whsec_${below(1e9)}` }) }),
			(body) => ({ body: body.slice(0, below(body.length)), header: signatureOf(body, { secret: SECRET }) }),
			(body) => ({
				body,
				header: signatureOf(body, { secret: SECRET, timestamp: Date.now() / 1_000 - 302 - below(1e6) }),
			}),
			(body) => ({ body, header: `t=${Math.floor(Date.now() / 1_000)}${`,v1=${'a'.repeat(64)}`.repeat(below(200))}` }),
			(body) => ({ body, header: 'v1='.repeat(below(4_000)) }),
			() => ({ body: Buffer.alloc(200_000, 'x'), header: 't=1,v1=ff' }),
		];
		const genuine: string[] = [];
		const send = async (n: number) => {
			const event = ALL_EVENTS[below(ALL_EVENTS.length)] as EventType;
			const payload = payloadOf(event, { id: `evt_crowd_${n}` });
			const body = JSON.stringify(payload);
			if (n % 100 === 99) {
				genuine.push(payload.id);
				// The header of that name is not signed, and tells no two events apart.
				const headers = { ...signed(body), 'x-esign-event-id': 'evt_header' };
				expect(await deliver(url, body, headers)).toMatchObject({ status: 200 });
				return;
			}
			const forged = forgeries[below(forgeries.length)]?.(body) ?? { body, header: '' };
			const { status } = await deliver(url, forged.body, forged.header ? { 'x-esign-signature': forged.header } : {});
			expect(status).toBe(401);
		};
		for (let n = 0; n < STRANGERS; n += 25) {
			await Promise.all(Array.from({ length: 25 }, async (_, offset) => await send(n + offset)));
		}
		const ids = n8n.itemsOf(workflow).map(({ json }) => json.id);
		expect(ids.sort()).toEqual(genuine.sort());
		expect(JSON.stringify(workflow.staticData)).toBe(before);
		expect(logged.filter((line) => line.includes('rejected'))).toHaveLength(STRANGERS * 0.99);
		expect(logged.join()).not.toContain(SECRET);
	});
});
