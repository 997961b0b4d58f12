import { createHmac } from 'node:crypto';
import { Timeline } from '../../sandbox/state/clock';
import { draftDocument, giveRecipients } from '../../sandbox/documents/draft';
import { State } from '../../sandbox/state/state';
import { DeliveryQueue } from '../../sandbox/webhooks/deliveries';
import { createEndpoint } from '../../sandbox/webhooks/endpoints';
import { WebhookEvents } from '../../sandbox/webhooks/events';
import { signDelivery } from '../../sandbox/webhooks/signature';
import { ALL_EVENTS, ANN, BOB, CAST, Receiver, refusal, Workspace } from './workspace';

describe('webhook signature (docs/service.md section 6)', () => {
	it('is lowercase hex of HMAC-SHA256 over t, a dot and the raw body (vector made with openssl)', () => {
		// printf '1700000000.{"id":"evt_1","event":"document.sent"}' | openssl dgst -sha256 -hmac whsec_fixed_vector
		const header = signDelivery('whsec_fixed_vector', 1_700_000_000, '{"id":"evt_1","event":"document.sent"}');
		expect(header).toBe('t=1700000000,v1=462902575b188ccb48ff0b15910f02a960af656f0b449c5846b0f82f29f81e73');
	});
});

describe('events (docs/service.md section 6, delivery rule 5)', () => {
	const receiver = Receiver.forTests();

	it('collapses a second emission of the same event, and of no other', async () => {
		const [state, timeline] = [new State(), new Timeline()];
		const events = new WebhookEvents(state, timeline, new DeliveryQueue(state, timeline));
		const world = { state, timeline, events, origin: '' };
		createEndpoint(world, 'TEST', { url: receiver().url, events: ['document.sent', 'recipient.signed'] });
		const source = { bytes: null, pageCount: 0 };
		const document = draftDocument(world, { mode: 'TEST', title: 'T', routing: 'parallel', source });
		giveRecipients(world, document, [ANN, BOB]);
		for (let count = 0; count < 2; count++) {
			events.emit(document, 'document.sent');
			for (const recipient of document.recipients) events.emitAbout(recipient, document, 'recipient.signed');
		}
		await timeline.advance(0);
		expect(receiver().events.sort()).toEqual(['document.sent', 'recipient.signed', 'recipient.signed']);
		timeline.close();
	});
});

describe('webhooks (docs/service.md sections 4 and 6)', () => {
	const workspace = Workspace.forTests();
	const receiver = Receiver.forTests();
	beforeEach(() => workspace.control.reset());

	const subscribe = async (events = ALL_EVENTS, api = workspace.test, url = receiver().url) =>
		(await api.post('/webhooks', { url, events })).data;
	const log = async (id: string, limit = 100) =>
		(await workspace.test.get(`/webhooks/${id}/deliveries`, { params: { limit } })).data.data;
	const replay = (id: string, deliveryId: string) =>
		workspace.test.post(`/webhooks/${id}/deliveries/${deliveryId}/replay`);
	const statusNow = async () => (await workspace.test.get('/webhooks')).data.data[0].status;
	const answer = (status: number, body = '') => (receiver().answer = { status, body });
	const settle = () => workspace.control.advance(0);
	/** Sends a document, and lets the attempts of so many seconds be made. */
	const send = async (seconds = 0) => {
		const document = await workspace.sent(workspace.test);
		await workspace.control.advance(seconds);
		return document;
	};

	it('creates an endpoint with a secret that no other answer carries, and lists newest first', async () => {
		const one = await subscribe(['document.sent']);
		expect(one).toMatchObject({ mode: 'TEST', status: 'ACTIVE', events: ['document.sent'], url: receiver().url });
		expect(one.signing_secret.length).toBeGreaterThan(20);
		const two = await subscribe();
		const { data } = (await workspace.test.get('/webhooks')).data;
		expect(data.map(({ id }) => id)).toEqual([two.id, one.id]);
		expect(JSON.stringify(data)).not.toContain('whsec_');
	});

	it('holds five endpoints per mode and carries the cap', async () => {
		for (let count = 0; count < 5; count++) await subscribe();
		const sixth = await workspace.test.post('/webhooks', { url: receiver().url, events: ALL_EVENTS });
		expect([refusal(sixth), sixth.data.error.cap]).toEqual(['402 webhook_endpoint_limit_reached', 5]);
		expect((await subscribe(ALL_EVENTS, workspace.live)).mode).toBe('LIVE');
	});

	it('delivers each event once, signed over the bytes sent, with its headers and payload', async () => {
		const { signing_secret: secret, id } = await subscribe();
		const { id: documentId, recipients } = await workspace.sent(workspace.test);
		const recipient = recipients[0].id;
		for (const act of ['view', 'view', 'sign', 'view'] as const) await workspace.control[act](recipient);
		await settle();
		const expected = ['document.completed', 'document.sent', 'recipient.signed', 'recipient.viewed'];
		expect(receiver().events.sort()).toEqual(expected);
		for (const { headers, body, payload } of receiver().received) {
			const [, t = '', v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-esign-signature'])) ?? [];
			expect(v1).toBe(createHmac('sha256', secret).update(`${t}.${body}`).digest('hex'));
			expect(Number(t)).toBe(Math.floor(workspace.now / 1000));
			expect(headers).toMatchObject({
				'x-esign-event': payload.event,
				'x-esign-event-id': payload.id,
				'user-agent': 'eSign-Webhooks/1',
				'content-type': 'application/json',
			});
			const document = { id: documentId, signed_pdf: null, certificate: null };
			expect(payload).toMatchObject({ mode: 'TEST', document });
			expect('recipient' in payload).toBe(payload.event.startsWith('recipient.'));
		}
		const delivered = { attempt: 1, succeeded: true, response_status: 200, document_id: documentId };
		expect(await log(id)).toMatchObject(Array(4).fill(delivered));
	});

	it('emits each of the seven types once for what it stands for, to who asked for it in its mode', async () => {
		const { id } = await subscribe();
		await subscribe(ALL_EVENTS, workspace.live);
		const few = await subscribe(['document.cancelled']);
		const emitted = async () => {
			await settle();
			return [
				...new Set(
					receiver()
						.received.splice(0)
						.map(({ payload }) => payload.event),
				),
			].sort();
		};
		const offer = await workspace.template(workspace.test, 'Offer Letter');
		const sendOffer = async () => {
			return (await workspace.test.post(`/templates/${offer.id}/send`, { recipients: CAST })).data;
		};
		const one = await sendOffer();
		expect(await emitted()).toEqual(['document.sent']);
		await workspace.control.view(one.recipients[0].id);
		expect(await emitted()).toEqual(['recipient.viewed']);
		await workspace.control.sign(one.recipients[0].id);
		expect(await emitted()).toEqual(['document.completed', 'recipient.signed']);
		await workspace.control.decline((await sendOffer()).recipients[0].id);
		expect(await emitted()).toEqual(['document.declined', 'document.sent']);
		await workspace.control.expire((await sendOffer()).id);
		expect(await emitted()).toEqual(['document.expired', 'document.sent']);
		await workspace.test.post(`/documents/${(await sendOffer()).id}/cancel`);
		expect(await emitted()).toEqual(['document.cancelled', 'document.sent']);
		const all = (await log(id)).map(({ event }) => event);
		// A document was sent four times.
		expect(all.sort()).toEqual([...ALL_EVENTS, ...Array<string>(3).fill('document.sent')].sort());
		expect((await log(few.id)).map(({ event }) => event)).toEqual(['document.cancelled']);
	});

	it('names the person in recipient events and in document.declined, with their status', async () => {
		await subscribe(['document.declined', 'recipient.viewed']);
		const { recipients } = await workspace.sent(workspace.test);
		await workspace.control.view(recipients[0].id);
		await workspace.control.decline(recipients[0].id);
		await settle();
		const person = { id: recipients[0].id, ...ANN, status: 'viewed' };
		expect(receiver().received.map(({ payload }) => payload.recipient)).toEqual([person, person]);
	});

	it('tries three times: at once, after 5 and after 10 more seconds, and then gives up', async () => {
		const { id } = await subscribe(['document.sent']);
		answer(500);
		await send();
		for (const [seconds, attempts] of [
			[0, 1],
			[4, 1],
			[1.5, 2],
			[9, 2],
			[1.5, 3],
			[100, 3],
		] as const) {
			await workspace.control.advance(seconds);
			expect(receiver().events).toHaveLength(attempts);
		}
		expect(new Set(receiver().received.map(({ body }) => body)).size).toBe(1);
		const deliveries = await log(id);
		expect(deliveries).toMatchObject([3, 2, 1].map((attempt) => ({ attempt, succeeded: false })));
		expect(new Set(deliveries.map((delivery) => delivery.event_id)).size).toBe(1);
	});

	it('takes any 2xx as success and nothing else, redirects included', async () => {
		const { id } = await subscribe(['document.sent']);
		for (const [status, succeeded] of [
			[204, true],
			[302, false],
			[404, false],
		] as const) {
			answer(status);
			await send();
			// The newest, and as many as were asked for.
			expect(await log(id, 1)).toMatchObject([{ response_status: status, succeeded }]);
		}
	});

	it('gives up on an attempt after ten seconds', async () => {
		const { id } = await subscribe(['document.sent']);
		receiver().answer = null;
		await send(9);
		expect(await log(id)).toEqual([]);
		await workspace.control.advance(1.5);
		expect((await log(id)).at(-1)).toMatchObject({ attempt: 1, response_status: null, succeeded: false });
	});

	it('records a connection that fails', async () => {
		const { id } = await subscribe(['document.sent'], workspace.test, 'http://127.0.0.1:9/closed');
		await send();
		const failed = { response_status: null, response_body: null, succeeded: false };
		expect((await log(id))[0]).toMatchObject(failed);
	});

	it('stores 2000 characters of an answer', async () => {
		const { id } = await subscribe(['document.sent']);
		answer(200, 'ü'.repeat(50_000));
		await send();
		expect((await log(id))[0].response_body).toBe('ü'.repeat(2_000));
	});

	it('replays the stored payload unchanged, as often as asked', async () => {
		const { id } = await subscribe(['document.sent']);
		await send();
		const { id: deliveryId, event_id } = (await log(id))[0];
		for (let count = 0; count < 2; count++) {
			expect((await replay(id, deliveryId)).data).toEqual({ replayed: true, event_id });
		}
		await settle();
		expect(receiver().received).toHaveLength(3);
		expect(new Set(receiver().received.map(({ body }) => body)).size).toBe(1);
		expect(await log(id)).toHaveLength(3);
	});

	it('knows a delivery only at its own endpoint', async () => {
		const [one, two] = [await subscribe(['document.sent']), await subscribe(['document.sent'])];
		await send();
		const delivery = (await log(one.id))[0].id;
		expect(refusal(await replay(two.id, delivery))).toBe('404 delivery_not_found');
		expect(refusal(await replay('whk_x', delivery))).toBe('404 webhook_endpoint_not_found');
	});

	it('disables an endpoint after 20 failures in a row, which drops what is queued and sends no replay', async () => {
		const { id } = await subscribe(['document.sent', 'document.cancelled']);
		answer(500);
		for (let count = 0; count < 6; count++) await send(20);
		expect(await statusNow()).toBe('ACTIVE');
		await send(20);
		expect(await statusNow()).toBe('DISABLED');
		expect(receiver().received).toHaveLength(20);
		await workspace.sent(workspace.test);
		const [last] = await log(id, 1);
		expect((await replay(id, last?.id ?? '')).data.replayed).toBe(false);
		await workspace.control.advance(20);
		expect(receiver().received).toHaveLength(20);
		expect(await log(id)).toHaveLength(21);
	});

	it('starts counting again after a success', async () => {
		const { id } = await subscribe(['document.sent']);
		for (const status of [...Array<number>(6).fill(500), 200, 500]) {
			answer(status);
			await send(20);
		}
		expect((await log(id)).length).toBe(22);
		expect(await statusNow()).toBe('ACTIVE');
	});

	it('drops what happens during a suspension, and live events during a trial', async () => {
		await subscribe();
		await subscribe(ALL_EVENTS, workspace.live);
		const test = await workspace.sent(workspace.test, [ANN, BOB]);
		const live = await workspace.sent(workspace.live, [ANN, BOB]);
		await settle();
		receiver().received.length = 0;
		await workspace.control.workspace({ trialing: true });
		for (const { recipients } of [test, live]) await workspace.control.sign(recipients[0].id);
		await settle();
		expect(receiver().received.map(({ payload }) => payload.mode)).toEqual(['TEST', 'TEST']);
		await workspace.control.workspace({ trialing: false, suspended: true });
		await workspace.control.sign(test.recipients[1].id);
		await workspace.control.workspace({ suspended: false });
		await workspace.control.advance(60);
		expect(receiver().received).toHaveLength(2);
	});

	it('deletes for good, with its history', async () => {
		const { id } = await subscribe();
		expect((await workspace.test.delete(`/webhooks/${id}`)).data).toEqual({ id, deleted: true });
		expect(refusal(await workspace.test.delete(`/webhooks/${id}`))).toBe('404 webhook_endpoint_not_found');
		await send();
		expect(receiver().received).toEqual([]);
	});
});
