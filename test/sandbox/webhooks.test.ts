import { createHmac } from 'node:crypto';
import { Timeline } from '../../sandbox/state/clock';
import { draftDocument, giveRecipients } from '../../sandbox/documents/draft';
import { State } from '../../sandbox/state/state';
import { DeliveryQueue } from '../../sandbox/webhooks/deliveries';
import { createEndpoint } from '../../sandbox/webhooks/endpoints';
import { WebhookEvents } from '../../sandbox/webhooks/events';
import { signDelivery } from '../../sandbox/webhooks/signature';
import { ALL_EVENTS, ANN, BOB, Receiver, refusal, Workspace } from './workspace';

describe('webhook signature (docs/service.md section 6)', () => {
	it('is lowercase hex of HMAC-SHA256 over t, a dot and the raw body (vector made with openssl)', () => {
		// printf '1700000000.{"id":"evt_1","event":"document.sent"}' | openssl dgst -sha256 -hmac
		// whsec_fixed_vector
		const header = signDelivery(
			'whsec_fixed_vector',
			1_700_000_000,
			'{"id":"evt_1","event":"document.sent"}',
		);
		expect(header).toBe(
			't=1700000000,v1=462902575b188ccb48ff0b15910f02a960af656f0b449c5846b0f82f29f81e73',
		);
	});
});

describe('events (docs/service.md section 6, delivery rule 5)', () => {
	const receiver = Receiver.forTests();

	it('collapses a second emission of the same event, and of no other', async () => {
		const [state, timeline] = [new State(), new Timeline()];
		const events = new WebhookEvents(state, timeline, new DeliveryQueue(state, timeline));
		const world = { state, timeline, events, origin: '' };
		createEndpoint(world, 'TEST', {
			url: receiver().url,
			events: ['document.sent', 'recipient.signed'],
		});
		const source = { bytes: null, pageCount: 0 };
		const document = draftDocument(world, {
			mode: 'TEST',
			title: 'T',
			routing: 'parallel',
			source,
		});
		giveRecipients(world, document, [ANN, BOB]);
		for (let count = 0; count < 2; count++) {
			events.emit(document, 'document.sent');
			for (const recipient of document.recipients)
				events.emitAbout(recipient, document, 'recipient.signed');
		}
		await timeline.advance(0);
		expect(receiver().events.sort()).toEqual([
			'document.sent',
			'recipient.signed',
			'recipient.signed',
		]);
		timeline.close();
	});
});

describe('webhooks (docs/service.md sections 4 and 6)', () => {
	const workspace = Workspace.forTests();
	const receiver = Receiver.forTests();

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

	it('creates an endpoint with a secret that no other answer carries, lists newest first, and deletes for good', async () => {
		const one = await subscribe(['document.sent']);
		expect(one).toMatchObject({
			mode: 'TEST',
			status: 'ACTIVE',
			events: ['document.sent'],
			url: receiver().url,
		});
		expect(one.signing_secret.length).toBeGreaterThan(20);
		const two = await subscribe();
		const { data } = (await workspace.test.get('/webhooks')).data;
		expect(data.map(({ id }) => id)).toEqual([two.id, one.id]);
		expect(JSON.stringify(data)).not.toContain('whsec_');
		answer(500);
		await send();
		expect((await workspace.test.delete(`/webhooks/${one.id}`)).data).toEqual({
			id: one.id,
			deleted: true,
		});
		expect(refusal(await workspace.test.delete(`/webhooks/${one.id}`))).toBe(
			'404 webhook_endpoint_not_found',
		);
		await workspace.control.advance(100);
		// One attempt for the endpoint that is gone, three for the other.
		expect(receiver().received).toHaveLength(4);
	});

	it('holds five endpoints per mode and carries the cap', async () => {
		for (let count = 0; count < 5; count++) await subscribe();
		const sixth = await workspace.test.post('/webhooks', {
			url: receiver().url,
			events: ALL_EVENTS,
		});
		expect([refusal(sixth), sixth.data.error.cap]).toEqual([
			'402 webhook_endpoint_limit_reached',
			5,
		]);
		expect((await subscribe(ALL_EVENTS, workspace.live)).mode).toBe('LIVE');
	});

	it('signs the bytes by the clock outside, with headers and payload as described, and tells of the first view only', async () => {
		await workspace.control.advance(86_400);
		const { signing_secret: secret, id } = await subscribe();
		const { id: documentId, recipients } = await workspace.sent(workspace.test);
		for (const act of ['view', 'view', 'sign', 'view'] as const)
			await workspace.control[act](recipients[0].id);
		await settle();
		const expected = [
			'document.completed',
			'document.sent',
			'recipient.signed',
			'recipient.viewed',
		];
		expect(receiver().events.sort()).toEqual(expected);
		for (const { headers, body, payload } of receiver().received) {
			const [, t = '', v1] =
				/^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-esign-signature'])) ?? [];
			expect(v1).toBe(createHmac('sha256', secret).update(`${t}.${body}`).digest('hex'));
			expect(Number(t)).toBe(Math.floor(workspace.now / 1000));
			expect(headers).toMatchObject({
				'x-esign-event': payload.event,
				'x-esign-event-id': payload.id,
				'user-agent': 'eSign-Webhooks/1',
				'content-type': 'application/json',
			});
			expect(payload.document).toMatchObject({
				id: documentId,
				signed_pdf: null,
				certificate: null,
			});
		}
		const delivered = {
			attempt: 1,
			succeeded: true,
			response_status: 200,
			document_id: documentId,
		};
		expect(await log(id)).toMatchObject(Array(4).fill(delivered));
	});

	it('emits each of the seven types once for what it stands for, with its person, to who asked for it in its mode', async () => {
		const { id } = await subscribe();
		await subscribe(ALL_EVENTS, workspace.live);
		const few = await subscribe(['document.cancelled']);
		const emitted = async () => {
			await settle();
			const payloads = receiver()
				.received.splice(0)
				.map(({ payload }) => payload);
			const texts = payloads.map(({ event, mode, recipient }) => {
				return [event, mode, recipient?.name, recipient?.email, recipient?.status]
					.filter(Boolean)
					.join(' ');
			});
			return [...new Set(texts)].sort();
		};
		const sent = async () => {
			const document = await workspace.sent(workspace.test);
			expect(await emitted()).toEqual(['document.sent TEST']);
			return { id: document.id, ann: document.recipients[0].id };
		};
		const one = await sent();
		await workspace.control.view(one.ann);
		expect(await emitted()).toEqual(['recipient.viewed TEST Ann ann@example.com viewed']);
		await workspace.control.sign(one.ann);
		expect(await emitted()).toEqual([
			'document.completed TEST',
			'recipient.signed TEST Ann ann@example.com signed',
		]);
		await workspace.control.decline((await sent()).ann);
		expect(await emitted()).toEqual(['document.declined TEST Ann ann@example.com sent']);
		await workspace.control.expire((await sent()).id);
		expect(await emitted()).toEqual(['document.expired TEST']);
		await workspace.test.post(`/documents/${(await sent()).id}/cancel`);
		expect(await emitted()).toEqual(['document.cancelled TEST']);
		// A document was sent four times.
		const all = (await log(id)).map(({ event }) => event).sort();
		expect(all).toEqual([...ALL_EVENTS, ...Array<string>(3).fill('document.sent')].sort());
		expect((await log(few.id)).map(({ event }) => event)).toEqual(['document.cancelled']);
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

	const failed = { response_status: null, response_body: null, succeeded: false };

	it.each<[string, object, () => unknown]>([
		['any 2xx is a success', { response_status: 204, succeeded: true }, () => answer(204)],
		['a redirect is not', { response_status: 302, succeeded: false }, () => answer(302)],
		['nor is any other status', { response_status: 404, succeeded: false }, () => answer(404)],
		[
			'2000 characters are kept',
			{ response_body: 'ü'.repeat(2_000) },
			() => answer(200, 'ü'.repeat(50_000)),
		],
		['a connection that breaks has no status', failed, () => receiver().close()],
	])('of an answer: %s', async (_what, expected, prepare) => {
		const { id } = await subscribe(['document.sent']);
		prepare();
		await send();
		expect(await log(id)).toMatchObject([expected]);
	});

	it('gives up on an attempt after ten seconds', async () => {
		const { id } = await subscribe(['document.sent']);
		receiver().answer = null;
		await send(9);
		expect(await log(id)).toEqual([]);
		await workspace.control.advance(1.5);
		expect((await log(id)).at(-1)).toMatchObject({ attempt: 1, ...failed });
	});

	it('replays the stored payload unchanged, as often as asked, with three attempts, at its own endpoint only', async () => {
		const [{ id }, other] = [
			await subscribe(['document.sent']),
			await subscribe(['document.cancelled']),
		];
		await send();
		const { id: deliveryId, event_id } = (await log(id))[0];
		for (const status of [200, 200, 500]) {
			answer(status);
			expect((await replay(id, deliveryId)).data).toEqual({ replayed: true, event_id });
			await workspace.control.advance(100);
		}
		expect(new Set(receiver().received.map(({ body }) => body)).size).toBe(1);
		const attempts = (await log(id)).map(({ attempt, succeeded }) => `${attempt} ${succeeded}`);
		expect(attempts).toEqual(['3 false', '2 false', '1 false', '1 true', '1 true', '1 true']);
		expect(refusal(await replay(other.id, deliveryId))).toBe('404 delivery_not_found');
		expect(refusal(await replay('whk_x', deliveryId))).toBe('404 webhook_endpoint_not_found');
	});

	it('disables an endpoint after 20 failures in a row, which drops what is queued and sends no replay', async () => {
		const { id } = await subscribe(['document.sent', 'document.cancelled']);
		const fail = async (documents: number) => {
			answer(500);
			for (let count = 0; count < documents; count++) await send(20);
		};
		await fail(6);
		answer(200);
		await send();
		await fail(6);
		expect(await statusNow()).toBe('ACTIVE');
		await fail(1);
		expect(await statusNow()).toBe('DISABLED');
		expect(receiver().received).toHaveLength(18 + 1 + 20);
		await workspace.sent(workspace.test);
		const [last] = await log(id, 1);
		expect((await replay(id, last?.id ?? '')).data.replayed).toBe(false);
		await workspace.control.advance(20);
		expect(receiver().received).toHaveLength(18 + 1 + 20);
		expect(await log(id)).toHaveLength(18 + 1 + 20 + 1);
	});

	it('drops live events during a trial, and during a suspension what happens and what is queued', async () => {
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
		answer(500);
		await workspace.control.workspace({ trialing: false });
		await workspace.control.view(test.recipients[1].id);
		await settle();
		await workspace.control.workspace({ suspended: true });
		await workspace.control.sign(test.recipients[1].id);
		await workspace.control.advance(5);
		await workspace.control.workspace({ suspended: false });
		await workspace.control.advance(60);
		expect(receiver().received).toHaveLength(3);
	});
});
