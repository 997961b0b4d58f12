import { createHmac } from 'node:crypto';
import { Timeline } from '../../sandbox/state/clock';
import { draftDocument, giveRecipients } from '../../sandbox/documents/draft';
import { State } from '../../sandbox/state/state';
import { DeliveryQueue } from '../../sandbox/webhooks/deliveries';
import { createEndpoint } from '../../sandbox/webhooks/endpoints';
import { WebhookEvents } from '../../sandbox/webhooks/events';
import { signDelivery } from '../../sandbox/webhooks/signature';
import { ALL_EVENTS, ANN, BOB, Receiver, Workspace, type Wire } from './workspace';

describe('webhook signature (docs/service.md section 6)', () => {
	it('is lowercase hex of HMAC-SHA256 over t, a dot and the raw body (vector made with openssl)', () => {
		// printf '1700000000.{"id":"evt_1","event":"document.sent"}' | openssl dgst -sha256 -hmac whsec_fixed_vector
		const header = signDelivery('whsec_fixed_vector', 1_700_000_000, '{"id":"evt_1","event":"document.sent"}');
		expect(header).toBe('t=1700000000,v1=462902575b188ccb48ff0b15910f02a960af656f0b449c5846b0f82f29f81e73');
	});
});

describe('events (docs/service.md section 6, delivery rule 5)', () => {
	it('collapses a second emission of the same event, and of no other', async () => {
		const receiver = await Receiver.open();
		try {
			const [state, timeline] = [new State(), new Timeline()];
			const events = new WebhookEvents(state, timeline, new DeliveryQueue(state, timeline));
			const world = { state, timeline, events, origin: '' };
			createEndpoint(world, 'TEST', { url: receiver.url, events: ['document.sent', 'recipient.signed'] });
			const source = { bytes: null, pageCount: 0 };
			const document = draftDocument(world, { mode: 'TEST', title: 'T', routing: 'parallel', source });
			giveRecipients(world, document, [ANN, BOB]);
			for (let count = 0; count < 2; count++) {
				events.emit(document, 'document.sent');
				for (const recipient of document.recipients) events.emitAbout(recipient, document, 'recipient.signed');
			}
			await timeline.advance(0);
			expect(receiver.events.sort()).toEqual(['document.sent', 'recipient.signed', 'recipient.signed']);
			timeline.close();
		} finally {
			receiver.close();
		}
	});
});

describe('webhooks (docs/service.md sections 4 and 6)', () => {
	const workspace = Workspace.forTests();
	let receiver: Receiver;
	beforeEach(async () => {
		await workspace.control.reset();
		receiver = await Receiver.open();
	});
	afterEach(() => receiver.close());

	const subscribe = async (events = ALL_EVENTS, api = workspace.test, url = receiver.url) =>
		(await api.post<Wire>('/webhooks', { url, events })).data;
	const log = async (id: string, limit = 100) =>
		(await workspace.test.get<Wire>(`/webhooks/${id}/deliveries`, { params: { limit } })).data.data;
	const settle = () => workspace.control.advance(0);

	it('creates an endpoint with a secret that no other answer carries, and lists newest first', async () => {
		const one = await subscribe(['document.sent']);
		expect(one).toMatchObject({ mode: 'TEST', status: 'ACTIVE', events: ['document.sent'], url: receiver.url });
		expect(one.signing_secret.length).toBeGreaterThan(20);
		const two = await subscribe();
		const { data } = (await workspace.test.get<Wire>('/webhooks')).data;
		expect(data.map(({ id }) => id)).toEqual([two.id, one.id]);
		expect(JSON.stringify(data)).not.toContain('whsec_');
	});

	it('holds five endpoints per mode and carries the cap', async () => {
		for (let count = 0; count < 5; count++) await subscribe();
		const sixth = await workspace.test.post<Wire>('/webhooks', { url: receiver.url, events: ALL_EVENTS });
		expect([sixth.status, sixth.data.error.code, sixth.data.error.cap]).toEqual([
			402,
			'webhook_endpoint_limit_reached',
			5,
		]);
		expect((await subscribe(ALL_EVENTS, workspace.live)).mode).toBe('LIVE');
	});

	it('delivers each event once, signed over the bytes sent, with its headers and payload', async () => {
		const { signing_secret: secret, id } = await subscribe();
		const { id: documentId, recipients } = await workspace.sent(workspace.test, [ANN]);
		const recipient = recipients[0]?.id ?? '';
		await workspace.control.view(recipient);
		await workspace.control.view(recipient);
		await workspace.control.sign(recipient);
		await workspace.control.view(recipient);
		await settle();
		expect([...receiver.events].sort()).toEqual(
			['document.sent', 'recipient.viewed', 'recipient.signed', 'document.completed'].sort(),
		);
		for (const { headers, body, payload } of receiver.received) {
			const [, t = '', v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-esign-signature'])) ?? [];
			expect(v1).toBe(createHmac('sha256', secret).update(`${t}.${body}`).digest('hex'));
			expect(Number(t)).toBe(Math.floor(workspace.now / 1000));
			expect(headers['x-esign-event']).toBe(payload.event);
			expect(headers['x-esign-event-id']).toBe(payload.id);
			expect(headers['user-agent']).toBe('eSign-Webhooks/1');
			expect(headers['content-type']).toBe('application/json');
			expect(payload.mode).toBe('TEST');
			expect(payload.document).toMatchObject({ id: documentId, signed_pdf: null, certificate: null });
			expect('recipient' in payload).toBe(payload.event.startsWith('recipient.'));
		}
		const deliveries = await log(id);
		expect(deliveries.map(({ attempt, succeeded, response_status }) => [attempt, succeeded, response_status])).toEqual(
			Array(4).fill([1, true, 200]),
		);
		expect(deliveries[0]?.document_id).toBe(documentId);
	});

	it('emits each of the seven types once for what it stands for', async () => {
		const { id } = await subscribe();
		const emitted = async () => {
			await settle();
			const events = receiver.events.sort();
			receiver.received.length = 0;
			return events;
		};
		const offer = await workspace.template(workspace.test, 'Offer Letter');
		const recipients = [
			{ role: 'Candidate', ...ANN },
			{ role: 'HR', ...BOB },
		];
		const send = async () => (await workspace.test.post<Wire>(`/templates/${offer.id}/send`, { recipients })).data;
		const one = await send();
		expect(await emitted()).toEqual(['document.sent']);
		const ann = one.recipients[0]?.id ?? '';
		await workspace.control.view(ann);
		expect(await emitted()).toEqual(['recipient.viewed']);
		await workspace.control.sign(ann);
		expect(await emitted()).toEqual(['document.completed', 'recipient.signed']);
		await workspace.control.decline((await send()).recipients[0]?.id ?? '');
		expect(await emitted()).toEqual(['document.declined', 'document.sent']);
		await workspace.control.expire((await send()).id);
		expect(await emitted()).toEqual(['document.expired', 'document.sent']);
		await workspace.test.post(`/documents/${(await send()).id}/cancel`);
		expect(await emitted()).toEqual(['document.cancelled', 'document.sent']);
		expect(new Set((await log(id)).map(({ event }) => event))).toEqual(new Set(ALL_EVENTS));
	});

	it('names the person in recipient events and in document.declined, with their status', async () => {
		await subscribe(['document.declined', 'recipient.viewed']);
		const { recipients } = await workspace.sent(workspace.test, [ANN]);
		await workspace.control.view(recipients[0]?.id ?? '');
		await workspace.control.decline(recipients[0]?.id ?? '');
		await settle();
		const person = { id: recipients[0]?.id, ...ANN, status: 'viewed' };
		expect(receiver.received.map(({ payload }) => payload.recipient)).toEqual([person, person]);
	});

	it('emits cancelled and expired, and only what an endpoint asked for in its own mode', async () => {
		await subscribe(['document.cancelled', 'document.expired']);
		await subscribe(ALL_EVENTS, workspace.live);
		const one = await workspace.sent(workspace.test);
		await workspace.test.post(`/documents/${one.id}/cancel`);
		await workspace.control.expire((await workspace.sent(workspace.test)).id);
		await settle();
		expect([...receiver.events].sort()).toEqual(['document.cancelled', 'document.expired']);
	});

	it('tries three times: at once, after 5 and after 10 more seconds, and then gives up', async () => {
		const { id } = await subscribe(['document.sent']);
		receiver.answer = { status: 500, body: 'no' };
		await workspace.sent(workspace.test);
		await settle();
		expect(receiver.events).toHaveLength(1);
		for (const [seconds, attempts] of [
			[4, 1],
			[1.5, 2],
			[9, 2],
			[1.5, 3],
			[100, 3],
		] as const) {
			await workspace.control.advance(seconds);
			expect(receiver.events).toHaveLength(attempts);
		}
		expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
		const deliveries = await log(id);
		expect(deliveries.map(({ attempt, succeeded }) => [attempt, succeeded])).toEqual([
			[3, false],
			[2, false],
			[1, false],
		]);
		expect(new Set(deliveries.map((delivery) => delivery.event_id)).size).toBe(1);
	});

	it('takes any 2xx as success and nothing else, redirects included', async () => {
		const { id } = await subscribe(['document.sent']);
		for (const [status, succeeded] of [
			[204, true],
			[302, false],
			[404, false],
		] as const) {
			receiver.answer = { status, body: '' };
			await workspace.sent(workspace.test);
			await settle();
			expect((await log(id, 1))[0]).toMatchObject({ response_status: status, succeeded });
		}
	});

	it('gives up on an attempt after ten seconds', async () => {
		const { id } = await subscribe(['document.sent']);
		receiver.answer = null;
		await workspace.sent(workspace.test);
		await workspace.control.advance(9);
		expect(await log(id)).toEqual([]);
		await workspace.control.advance(1.5);
		expect((await log(id)).at(-1)).toMatchObject({ attempt: 1, response_status: null, succeeded: false });
	});

	it('records a connection that fails', async () => {
		const { id } = await subscribe(['document.sent'], workspace.test, 'http://127.0.0.1:9/closed');
		await workspace.sent(workspace.test);
		await settle();
		const [delivery] = await log(id);
		expect(delivery).toMatchObject({ response_status: null, response_body: null, succeeded: false });
	});

	it('stores 2000 characters of an answer', async () => {
		const { id } = await subscribe(['document.sent']);
		receiver.answer = { status: 200, body: 'ü'.repeat(50_000) };
		await workspace.sent(workspace.test);
		await settle();
		expect((await log(id))[0]?.response_body).toBe('ü'.repeat(2_000));
	});

	it('replays the stored payload unchanged, as often as asked', async () => {
		const { id } = await subscribe(['document.sent']);
		await workspace.sent(workspace.test);
		await settle();
		const [delivery] = await log(id);
		for (let count = 0; count < 2; count++) {
			const { data } = await workspace.test.post<Wire>(`/webhooks/${id}/deliveries/${delivery?.id}/replay`);
			expect(data).toEqual({ replayed: true, event_id: delivery?.event_id });
		}
		await settle();
		expect(receiver.received).toHaveLength(3);
		expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
		expect(await log(id)).toHaveLength(3);
	});

	it('knows a delivery only at its own endpoint', async () => {
		const [one, two] = [await subscribe(['document.sent']), await subscribe(['document.sent'])];
		await workspace.sent(workspace.test);
		await settle();
		const [delivery] = await log(one.id);
		const wrong = await workspace.test.post<Wire>(`/webhooks/${two.id}/deliveries/${delivery?.id}/replay`);
		expect([wrong.status, wrong.data.error.code]).toEqual([404, 'delivery_not_found']);
		const unknown = await workspace.test.post<Wire>(`/webhooks/whk_x/deliveries/${delivery?.id}/replay`);
		expect([unknown.status, unknown.data.error.code]).toEqual([404, 'webhook_endpoint_not_found']);
	});

	it('limits the log, newest first', async () => {
		const { id } = await subscribe(['document.sent']);
		for (let count = 0; count < 3; count++) {
			await workspace.sent(workspace.test);
			await settle();
		}
		const all = await log(id);
		expect((await log(id, 2)).map((delivery) => delivery.id)).toEqual(all.slice(0, 2).map((delivery) => delivery.id));
		expect((await workspace.test.get(`/webhooks/${id}/deliveries?cursor=x`)).status).toBe(400);
		expect((await workspace.test.get(`/webhooks/${id}/deliveries?limit=101`)).status).toBe(400);
	});

	it('disables an endpoint after 20 failures in a row, which drops what is queued and sends no replay', async () => {
		const { id } = await subscribe(['document.sent', 'document.cancelled']);
		receiver.answer = { status: 500, body: '' };
		const status = async () => (await workspace.test.get<Wire>('/webhooks')).data.data[0]?.status;
		for (let count = 0; count < 6; count++) {
			await workspace.sent(workspace.test);
			await workspace.control.advance(20);
		}
		expect(await status()).toBe('ACTIVE');
		await workspace.sent(workspace.test);
		await workspace.control.advance(20);
		expect(await status()).toBe('DISABLED');
		expect(receiver.received).toHaveLength(20);
		await workspace.sent(workspace.test);
		const [last] = await log(id, 1);
		const { data } = await workspace.test.post<Wire>(`/webhooks/${id}/deliveries/${last?.id}/replay`);
		expect(data.replayed).toBe(false);
		await workspace.control.advance(20);
		expect(receiver.received).toHaveLength(20);
		expect(await log(id)).toHaveLength(21);
	});

	it('starts counting again after a success', async () => {
		const { id } = await subscribe(['document.sent']);
		for (const status of [...Array<number>(6).fill(500), 200, 500]) {
			receiver.answer = { status, body: '' };
			await workspace.sent(workspace.test);
			await workspace.control.advance(20);
		}
		expect((await log(id)).length).toBe(22);
		expect((await workspace.test.get<Wire>('/webhooks')).data.data[0]?.status).toBe('ACTIVE');
	});

	it('drops what happens during a suspension, and live events during a trial', async () => {
		await subscribe();
		await subscribe(ALL_EVENTS, workspace.live);
		const test = await workspace.sent(workspace.test, [ANN, BOB]);
		const live = await workspace.sent(workspace.live, [ANN, BOB]);
		await settle();
		receiver.received.length = 0;
		await workspace.control.workspace({ trialing: true });
		for (const { recipients } of [test, live]) await workspace.control.sign(recipients[0]?.id ?? '');
		await settle();
		expect(receiver.received.map(({ payload }) => payload.mode)).toEqual(['TEST', 'TEST']);
		await workspace.control.workspace({ trialing: false, suspended: true });
		await workspace.control.sign(test.recipients[1]?.id ?? '');
		await workspace.control.workspace({ suspended: false });
		await workspace.control.advance(60);
		expect(receiver.received).toHaveLength(2);
	});

	it('deletes for good, with its history', async () => {
		const { id } = await subscribe();
		expect((await workspace.test.delete<Wire>(`/webhooks/${id}`)).data).toEqual({ id, deleted: true });
		const again = await workspace.test.delete<Wire>(`/webhooks/${id}`);
		expect([again.status, again.data.error.code]).toEqual([404, 'webhook_endpoint_not_found']);
		await workspace.sent(workspace.test);
		await settle();
		expect(receiver.received).toEqual([]);
	});
});
