import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { EventType } from '../../../nodes/ESign/client';
import { EVENT_OPTIONS } from '../../../nodes/ESign/service/events';
import { SEED, sized } from '../../../harness/nightly';
import { deliver, deliverSigned, payloadOf, signatureOf } from '../support/deliveries';
import { captureLog } from '../support/log';
import { clock as waiting, N8nInstance, storedOf, type StoredWorkflow } from '../support/n8nInstance';
import { Random } from '../support/random';

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

	it('of an event that is not selected, or of none that is known, is accepted and starts nothing', async () => {
		const { workflow, url } = activeWorkflow(['document.completed']);
		const unknown = { ...payloadOf('document.sent'), event: 'document.shredded' };
		for (const payload of [payloadOf('document.sent'), unknown, [], null, 7, 'text', {}, { event: {} }]) {
			expect(await deliverSigned(url, payload, { secret: SECRET })).toMatchObject({ status: 200 });
		}
		expect(n8n.itemsOf(workflow)).toEqual([]);
	});

	it('that is not JSON is answered 400 and starts nothing', async () => {
		const { workflow, url } = activeWorkflow();
		for (const body of ['', '{', 'event=document.sent', '\u0000']) {
			const headers = { 'x-esign-signature': signatureOf(body, { secret: SECRET }) };
			expect(await deliver(url, body, headers)).toMatchObject({ status: 400 });
		}
		expect(n8n.itemsOf(workflow)).toEqual([]);
	});
});

describe('A delivery is answered 401 and starts nothing', () => {
	const payload = payloadOf('document.sent');
	const body = JSON.stringify(payload);
	const seconds = () => Math.floor(Date.now() / 1_000);

	it.each([
		['without a signature', () => ({ body, headers: {} })],
		[
			'with one byte changed',
			() => ({
				body: body.replace('NDA', 'NDB'),
				headers: { 'x-esign-signature': signatureOf(body, { secret: SECRET }) },
			}),
		],
		[
			'with a timestamp 301 seconds old',
			() => ({
				body,
				headers: { 'x-esign-signature': signatureOf(body, { secret: SECRET, timestamp: seconds() - 301 }) },
			}),
		],
		[
			'with a timestamp 302 seconds ahead',
			() => ({
				body,
				headers: { 'x-esign-signature': signatureOf(body, { secret: SECRET, timestamp: seconds() + 302 }) },
			}),
		],
		[
			'signed with another secret',
			() => ({ body, headers: { 'x-esign-signature': signatureOf(body, { secret: 'whsec_other' }) } }),
		],
	])('%s', async (_what, make) => {
		const { workflow, url } = activeWorkflow();
		// A signature that is a second too new when it is made still is when it arrives.
		jest.spyOn(Date, 'now').mockReturnValue(Date.now());
		const delivery: { body: string; headers: Record<string, string> } = make();
		const answer = await deliver(url, delivery.body, delivery.headers);
		expect(answer.status).toBe(401);
		expect(n8n.itemsOf(workflow)).toEqual([]);
		expect(logged).toHaveLength(1);
		expect(logged[0]).toMatch(/rejected: /);
		expect(`${logged[0]} ${answer.text}`).not.toContain(SECRET);
	});

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
	it('starts nothing while the first is five minutes old or younger, and is answered 200', async () => {
		const { workflow, url } = activeWorkflow();
		const payload = payloadOf('document.completed');
		for (let n = 0; n < 3; n++) {
			expect(await deliverSigned(url, payload, { secret: SECRET })).toMatchObject({ status: 200 });
		}
		expect(n8n.itemsOf(workflow)).toHaveLength(1);
	});

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

	it('starts nothing after the clock was set back', async () => {
		const { workflow, url } = activeWorkflow();
		const body = JSON.stringify(payloadOf('document.completed'));
		const start = Math.floor(Date.now() / 1_000);
		const header = signatureOf(body, { secret: SECRET, timestamp: start });
		const clock = jest.spyOn(Date, 'now').mockReturnValue(start * 1_000);
		for (const now of [start, start - 200, start + 299]) {
			clock.mockReturnValue(now * 1_000);
			expect(await deliver(url, body, { 'x-esign-signature': header })).toMatchObject({ status: 200 });
		}
		expect(n8n.itemsOf(workflow)).toHaveLength(1);
	});

	it('that is under way waits for what becomes of it, and fails with it', async () => {
		const { workflow, url } = activeWorkflow();
		const payload = payloadOf('document.sent');
		let fail: (reason: Error) => void = () => undefined;
		n8n.beforeAnswer = async () => await new Promise<void>((_resolve, reject) => (fail = reject));
		const first = deliverSigned(url, payload, { secret: SECRET });
		while (n8n.pending === 0) await new Promise((resolve) => setTimeout(resolve, 5));
		const secondIsHere = new Promise<void>((resolve) => (n8n.beforeRequest = async () => resolve()));
		const second = deliverSigned(url, payload, { secret: SECRET });
		await secondIsHere;
		// Nothing that it does before it waits takes longer than a turn of the event loop.
		await new Promise(setImmediate);
		n8n.beforeAnswer = async () => undefined;
		fail(new Error('The queue is down'));
		expect([(await first).status, (await second).status]).toEqual([500, 503]);
		expect(await deliverSigned(url, payload, { secret: SECRET })).toMatchObject({ status: 200 });
		expect(n8n.itemsOf(workflow)).toHaveLength(1);
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

		it('and fails after all, is accepted when it is replayed', async () => {
			const { workflow, first, finish, payload } = await begun();
			await waiting.during(first);
			finish(new Error('The database is gone'));
			while (!logged.some((line) => line.includes('did not start the workflow')))
				await new Promise((resolve) => setTimeout(resolve, 5));
			const signedBy = { secret: SECRET, timestamp: Math.floor(Date.now() / 1_000) + 2 };
			expect(await deliverSigned(n8n.productionUrl(workflow), payload, signedBy)).toMatchObject({ status: 200 });
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

	it('runs every time when the user switched deduplication off', async () => {
		const { workflow, url } = activeWorkflow(ALL_EVENTS, { deduplicate: false });
		const payload = payloadOf('document.sent');
		for (let n = 0; n < 3; n++) await deliverSigned(url, payload, { secret: SECRET });
		expect(n8n.itemsOf(workflow)).toHaveLength(3);
	});

	it('runs in another workflow that listens to the same document', async () => {
		const [first, second] = [activeWorkflow(), activeWorkflow()];
		const payload = payloadOf('document.sent');
		for (const { url } of [first, second]) await deliverSigned(url, payload, { secret: SECRET });
		expect(n8n.itemsOf(first.workflow)).toHaveLength(1);
		expect(n8n.itemsOf(second.workflow)).toHaveLength(1);
	});

	it('runs when n8n could not start the execution the first time', async () => {
		const { workflow, url } = activeWorkflow();
		const payload = payloadOf('document.completed');
		n8n.beforeAnswer = async () => {
			throw new Error('The queue is down');
		};
		expect(await deliverSigned(url, payload, { secret: SECRET })).toMatchObject({ status: 500 });
		n8n.beforeAnswer = async () => undefined;
		expect(await deliverSigned(url, payload, { secret: SECRET })).toMatchObject({ status: 200 });
		expect(n8n.itemsOf(workflow)).toHaveLength(1);
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
		const random = new Random(SEED);
		const before = JSON.stringify(workflow.staticData);
		const oversized = Buffer.alloc(200_000, 'x');
		const forgeries: Array<(body: string) => { body: string | Buffer; header: string; expected: number }> = [
			(body) => ({ body, header: signatureOf(body, { secret: `whsec_${random.below(1e9)}` }), expected: 401 }),
			(body) => {
				const at = random.below(body.length);
				const changed = Buffer.from(body);
				changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
				return { body: changed, header: signatureOf(body, { secret: SECRET }), expected: 401 };
			},
			(body) => ({
				body: body.slice(0, random.below(body.length)),
				header: signatureOf(body, { secret: SECRET }),
				expected: 401,
			}),
			(body) => {
				const off = (302 + random.below(1e6)) * (random.next() < 0.5 ? 1 : -1);
				const timestamp = Math.floor(Date.now() / 1_000) + off;
				return { body, header: signatureOf(body, { secret: SECRET, timestamp }), expected: 401 };
			},
			(body) => {
				const header = signatureOf(body, { secret: SECRET });
				const at = random.below(header.length);
				const other = random.pick(['0', 'f', ',', '=', ' ', 'T', '-']);
				// Elements may be surrounded by spaces, and are nothing then but the same header.
				return header[at] === other || header[at] === ','
					? { body, header: '', expected: 401 }
					: { body, header: `${header.slice(0, at)}${other}${header.slice(at + 1)}`, expected: 401 };
			},
			(body) => ({
				body,
				header: `t=${Math.floor(Date.now() / 1_000)}${`,v1=${'a'.repeat(64)}`.repeat(random.below(200))}`,
				expected: 401,
			}),
			(body) => ({ body, header: 'v1='.repeat(random.below(4_000)), expected: 401 }),
			() => ({ body: oversized, header: 't=1,v1=ff', expected: 401 }),
		];
		const genuine: string[] = [];
		const statuses: Record<number, number> = {};
		const send = async (n: number) => {
			const payload = payloadOf(random.pick(ALL_EVENTS), { id: `evt_crowd_${n}` });
			const body = JSON.stringify(payload);
			if (n % 100 === 99) {
				genuine.push(payload.id);
				const { status } = await deliverSigned(url, payload, { secret: SECRET });
				expect(status).toBe(200);
				return;
			}
			const forged = random.pick(forgeries)(body);
			const { status } = await deliver(url, forged.body, forged.header ? { 'x-esign-signature': forged.header } : {});
			expect(status).toBe(forged.expected);
			statuses[status] = (statuses[status] ?? 0) + 1;
		};
		for (let n = 0; n < STRANGERS; n += 25) {
			await Promise.all(Array.from({ length: 25 }, async (_, offset) => await send(n + offset)));
		}
		expect(statuses).toEqual({ 401: STRANGERS * 0.99 });
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
