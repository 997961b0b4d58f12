import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { EventType } from '../../../nodes/ESign/client';
import { EVENT_OPTIONS } from '../../../nodes/ESign/service/events';
import { SEED, sized } from '../../../harness/nightly';
import { seededRandom } from '../../../harness/seededRandom';
import { deliver, deliverSigned, payloadOf, signatureOf } from '../support/deliveries';
import { captureLog } from '../support/log';
import { clock as waiting, N8nInstance, storedOf, type StoredWorkflow } from '../support/n8nInstance';

const SECRET = 'whsec_test';
const STRANGERS = sized(1_000, 10_000);
const ALL_EVENTS = EVENT_OPTIONS.map(({ value }) => value);

let n8n: N8nInstance;
let logged: string[];

beforeEach(async () => {
	n8n = new N8nInstance({ baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'sk_test_unused' });
	await n8n.start();
	logged = captureLog();
});

afterEach(async () => {
	jest.restoreAllMocks();
	await n8n.kill();
});

const keyOf = ({ node }: StoredWorkflow, entry: string) => `eSign/${node.id}/${entry}`;

/** An active workflow with an endpoint whose secret is SECRET. */
function activeWorkflow(events: readonly EventType[] = ALL_EVENTS, options: INodeParameters = {}) {
	const workflow = n8n.add({ events: [...events], options }, { active: true });
	const endpoint = { id: 'whk_1', secret: SECRET, url: n8n.productionUrl(workflow), owner: 'x', events, test: false };
	workflow.staticData = { global: { [keyOf(workflow, 'endpoint/whk_1')]: { ...endpoint, at: 1 } } };
	return { workflow, url: n8n.productionUrl(workflow) };
}

describe('A genuine delivery', () => {
	it.each(ALL_EVENTS)('of %s starts one execution with the payload exactly as sent', async (event) => {
		const { workflow, url } = activeWorkflow();
		const payload = payloadOf(event, { id: `evt_exact_${event}` });
		expect(await deliverSigned(url, payload, { secret: SECRET })).toMatchObject({ status: 200 });
		expect(n8n.itemsOf(workflow)).toEqual([{ json: payload }]);
	});

	it('is verified over its bytes, whatever their form and content type', async () => {
		const { workflow, url } = activeWorkflow();
		const body = `{ "id":"evt_bytes",\n\t"event" : "document.sent", "extra": 1.0, "document":{"title":"\\u00e9 é"} }`;
		for (const type of ['application/json', 'text/plain', 'application/octet-stream', 'application/vnd.esign+json']) {
			const named = body.replace('evt_bytes', `evt_${type}`);
			const headers = { 'content-type': type, 'x-esign-signature': signatureOf(named, { secret: SECRET }) };
			expect(await deliver(url, named, headers)).toMatchObject({ status: 200 });
		}
		expect(n8n.itemsOf(workflow)).toHaveLength(4);
		expect(n8n.itemsOf(workflow)[0]?.json).toMatchObject({ extra: 1, document: { title: 'é é' } });
	});
});

describe('A delivery is answered 401 and starts nothing', () => {
	const payload = payloadOf('document.sent');

	it.each([
		undefined,
		{},
		{ id: 'whk_1', secret: '', url: 'x', owner: 'x', events: [], at: 1 },
		'text',
		{ id: 'whk_1', secret: SECRET, url: 'x', owner: 'x', events: [], at: 1, test: true },
	])('while no secret is stored (%j)', async (stored) => {
		const { workflow, url } = activeWorkflow();
		workflow.staticData = { global: stored === undefined ? {} : { [keyOf(workflow, 'endpoint/whk_1')]: stored } };
		for (const secret of ['undefined', 'null', ' ', SECRET]) {
			expect(await deliverSigned(url, payload, { secret })).toMatchObject({ status: 401 });
		}
		expect(n8n.itemsOf(workflow)).toEqual([]);
	});
});

describe('The same event again', () => {
	it('runs when it is replayed later than its first signature would verify, and those bytes never again', async () => {
		const { workflow, url } = activeWorkflow();
		const body = JSON.stringify(payloadOf('document.completed'));
		const start = Math.floor(Date.now() / 1_000);
		const clock = jest.spyOn(Date, 'now').mockReturnValue(start * 1_000);
		const sentAt = async (signedAt: number, now: number) => {
			clock.mockReturnValue(now);
			const header = signatureOf(body, { secret: SECRET, timestamp: signedAt });
			const { status } = await deliver(url, body, { 'x-esign-signature': header });
			return [status, n8n.itemsOf(workflow).length];
		};
		expect(await sentAt(start, start * 1_000)).toEqual([200, 1]);
		expect(await sentAt(start, (start + 300) * 1_000 + 999)).toEqual([200, 1]);
		expect(await sentAt(start + 300, (start + 300) * 1_000 + 999)).toEqual([200, 1]);
		expect(await sentAt(start, (start + 301) * 1_000)).toEqual([401, 1]);
		// The bytes of the repetition that was ignored verify for five minutes more.
		expect(await sentAt(start + 300, (start + 302) * 1_000)).toEqual([200, 1]);
		expect(await sentAt(start + 302, (start + 302) * 1_000)).toEqual([200, 2]);
	});

	describe('while n8n takes long to start the workflow', () => {
		async function begun() {
			const { workflow, url } = activeWorkflow();
			const payload = payloadOf('document.sent');
			let finish: (failure?: Error) => void = () => undefined;
			n8n.beforeAnswer = async () =>
				await new Promise<void>((resolve, reject) => (finish = (failure) => (failure ? reject(failure) : resolve())));
			const first = deliverSigned(url, payload, { secret: SECRET });
			while (n8n.pending === 0) await new Promise((resolve) => setTimeout(resolve, 5));
			n8n.beforeAnswer = async () => undefined;
			const again = async () => await deliverSigned(url, payload, { secret: SECRET });
			return { workflow, payload, first, finish: (failure?: Error) => finish(failure), again };
		}

		it('is answered after seven seconds, and starts it once', async () => {
			const { workflow, first, finish, again } = await begun();
			const answer = await waiting.during(first);
			expect(answer).toEqual({ status: 200, text: expect.stringContaining('has room') as string });
			expect(await again()).toMatchObject({ status: 200 });
			expect(n8n.itemsOf(workflow)).toEqual([]);
			finish();
			while (n8n.itemsOf(workflow).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
			expect(await again()).toMatchObject({ status: 200 });
			expect(n8n.itemsOf(workflow)).toHaveLength(1);
		});

		it('whose sender has hung up is accepted at the second delivery, and never runs twice', async () => {
			const { workflow, url } = activeWorkflow();
			const payload = payloadOf('document.sent');
			let release: () => void = () => undefined;
			n8n.beforeAnswer = async () => await new Promise<void>((resolve) => (release = resolve));
			const sender = new AbortController();
			const body = JSON.stringify(payload);
			const signature = signatureOf(body, { secret: SECRET });
			const headers = { 'content-type': 'application/json', 'x-esign-signature': signature };
			const first = fetch(url, { method: 'POST', body, headers, signal: sender.signal }).catch(() => undefined);
			while (n8n.pending === 0) await new Promise((resolve) => setTimeout(resolve, 5));
			sender.abort();
			await first;
			n8n.beforeAnswer = async () => undefined;
			expect(await waiting.during(deliverSigned(url, payload, { secret: SECRET }))).toMatchObject({ status: 200 });
			release();
			while (n8n.pending > 0) await new Promise((resolve) => setTimeout(resolve, 5));
			expect(await deliverSigned(url, payload, { secret: SECRET })).toMatchObject({ status: 200 });
			expect(n8n.itemsOf(workflow)).toHaveLength(1);
		});
	});

	it('starts one execution when a hundred deliveries arrive at once', async () => {
		const { workflow, url } = activeWorkflow();
		const payload = payloadOf('recipient.signed');
		const answers = await Promise.all(
			Array.from({ length: 100 }, async () => await deliverSigned(url, payload, { secret: SECRET })),
		);
		expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
		expect(n8n.itemsOf(workflow)).toHaveLength(1);
	});

	it('is told apart by the id in the signed body, not by the header of that name', async () => {
		const { workflow, url } = activeWorkflow();
		for (const id of ['evt_body_1', 'evt_body_2']) {
			const body = JSON.stringify(payloadOf('document.sent', { id }));
			const headers = { 'x-esign-signature': signatureOf(body, { secret: SECRET }), 'x-esign-event-id': 'evt_header' };
			await deliver(url, body, headers);
			await deliver(url, body, { ...headers, 'x-esign-event-id': 'evt_else' });
		}
		expect(n8n.itemsOf(workflow)).toHaveLength(2);
	});

	it('is written to the static data when it comes again, bounded, and known from there to the next process', async () => {
		const { workflow, url } = activeWorkflow();
		const data = workflow.staticData.global as IDataObject;
		for (let n = 0; n < 500; n++) {
			data[keyOf(workflow, `event/evt_old_${n}`)] = { id: `evt_old_${n}`, at: n, until: n };
		}
		const payload = payloadOf('document.sent');
		const body = JSON.stringify(payload);
		// No connection is kept that ends with the process.
		const deliverIt = async () =>
			await deliver(url, body, { connection: 'close', 'x-esign-signature': signatureOf(body, { secret: SECRET }) });
		await deliverIt();
		expect(Object.keys(storedOf(workflow, 'event'))).not.toContain(payload.id);
		await deliverIt();
		const stored = Object.keys(storedOf(workflow, 'event'));
		expect(stored).toHaveLength(500);
		expect(stored).toContain(payload.id);
		expect(stored).not.toContain('evt_old_0');
		expect(Object.keys(storedOf(workflow, 'endpoint'))).toEqual(['whk_1']);
		await n8n.kill();
		await n8n.reconnect();
		await deliverIt();
		expect(n8n.itemsOf(workflow)).toHaveLength(1);
	});

	it('does not write to the static data when it starts the workflow, which would put back what was saved meanwhile', async () => {
		const { workflow, url } = activeWorkflow();
		n8n.savesWithExecution = true;
		const before = JSON.stringify(workflow.staticData);
		await deliverSigned(url, payloadOf('document.sent'), { secret: SECRET });
		expect(JSON.stringify(workflow.staticData)).toBe(before);
	});
});

describe(`${STRANGERS} deliveries of strangers`, () => {
	it('start nothing, hang nothing and leave nothing behind, while each genuine one among them runs', async () => {
		const { workflow, url } = activeWorkflow();
		const random = seededRandom(SEED);
		const before = JSON.stringify(workflow.staticData);
		const below = (limit: number) => Math.floor(random() * limit);
		const signed = (body: string) => signatureOf(body, { secret: SECRET });
		const forgeries: Array<(body: string) => { body: string | Buffer; header: string }> = [
			(body) => ({ body, header: signatureOf(body, { secret: `whsec_${below(1e9)}` }) }),
			(body) => ({ body: body.slice(0, below(body.length)), header: signed(body) }),
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
			const payload = payloadOf(ALL_EVENTS[below(ALL_EVENTS.length)] ?? 'document.sent', { id: `evt_crowd_${n}` });
			const body = JSON.stringify(payload);
			if (n % 100 === 99) {
				genuine.push(payload.id);
				expect(await deliverSigned(url, payload, { secret: SECRET })).toMatchObject({ status: 200 });
				return;
			}
			const forged = forgeries[below(forgeries.length)]?.(body) ?? { body, header: '' };
			const { status } = await deliver(url, forged.body, forged.header ? { 'x-esign-signature': forged.header } : {});
			expect(status).toBe(401);
		};
		for (let n = 0; n < STRANGERS; n += 25) {
			await Promise.all(Array.from({ length: 25 }, async (_, offset) => await send(n + offset)));
		}
		expect(
			n8n
				.itemsOf(workflow)
				.map(({ json }) => json.id)
				.sort(),
		).toEqual(genuine.sort());
		expect(JSON.stringify(workflow.staticData)).toBe(before);
		expect(logged.filter((line) => line.includes('rejected'))).toHaveLength(STRANGERS * 0.99);
		expect(logged.join()).not.toContain(SECRET);
	});
});
