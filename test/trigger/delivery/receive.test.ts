import type { IDataObject } from 'n8n-workflow';
import { payloadOf } from '../support/deliveries';
import { WebResponse } from '../support/webResponse';
import { signedRequest, turns, WATCH, Wire } from '../support/wire';

const SECRET = 's_whk_1';
const IGNORED = { webhookResponse: 'Ignored: this event is not selected' };
const RECEIVED_BEFORE = { webhookResponse: 'Ignored: this event was received before' };

let wire: Wire;
let response: WebResponse;

/** An active trigger for the two events, with these options. */
function begin(options: IDataObject = {}): void {
	wire = new Wire({ events: ['document.sent', 'document.completed'], ...options });
	wire.add('whk_1');
	wire.state.watch = WATCH;
	wire.stopClock();
}

beforeEach(() => begin());

/** What comes of a request; its response is a new one unless given. */
async function receive(request: object, given = new WebResponse()) {
	response = given;
	return await wire.receive(request, response);
}

const requestOf = (body: string, secret = SECRET, timestamp?: number) =>
	signedRequest(body, { secret, timestamp });
const deliver = async (payload: unknown, given?: WebResponse) =>
	await receive(requestOf(JSON.stringify(payload)), given);

describe('A genuine delivery', () => {
	it('of a selected event starts the workflow with its payload, and n8n answers', async () => {
		const payload = payloadOf('document.completed');
		expect(await deliver(payload)).toMatchObject({ workflowData: [[{ json: payload }]] });
		expect([response.sent, [...wire.state.starts.keys()], wire.logged]).toEqual([
			[],
			[payload.id],
			[],
		]);
		expect(wire.requests).toEqual([]);
	});

	it.each([
		payloadOf('recipient.viewed'),
		{ id: 'evt', event: 'document.shredded' },
		[],
		null,
		7,
		'text',
		{},
	])('%j is none of a selected event, and starts nothing', async (payload) =>
		expect(await deliver(payload)).toEqual(IGNORED),
	);

	it('starts nothing where another event is selected, be it in a list or not', async () => {
		begin({ events: 'document.sent' });
		expect(await deliver(payloadOf('document.completed'))).toEqual(IGNORED);
		expect(await deliver(payloadOf('document.sent'))).not.toEqual(IGNORED);
	});

	it('is read by the node where n8n has not read it', async () => {
		const { rawBody, headers } = requestOf(JSON.stringify(payloadOf('document.sent')));
		const readRawBody = async function (this: { rawBody?: Buffer }) {
			this.rawBody = rawBody;
		};
		expect(await receive({ headers, readRawBody })).toHaveProperty('workflowData');
	});

	it.each(['', '{'])('whose body %j is no JSON is answered 400', async (body) => {
		expect(await receive(requestOf(body))).toEqual({ noWebhookResponse: true });
		expect(response.sent).toEqual(['400 Rejected: the body is not JSON']);
		expect(wire.logged).toEqual([
			'warn: eSign: a delivery was rejected: the body is not JSON (workflow "Contracts", node "eSign Trigger")',
		]);
	});
});

describe('A request is answered 401', () => {
	const body = JSON.stringify(payloadOf('document.sent'));

	it.each<[string, () => object, RegExp]>([
		['without a signature', () => ({ rawBody: Buffer.from(body) }), /header is missing/],
		['signed with another secret', () => requestOf(body, 'other'), /no signature matches/],
		[
			'with another body',
			() => ({ ...requestOf(body), rawBody: Buffer.from(`${body} `) }),
			/no signature matches/,
		],
		['without a body', () => ({ headers: requestOf(body).headers }), /no signature matches/],
		[
			'whose body cannot be read',
			() => ({
				readRawBody: () => {
					throw new Error('Too large');
				},
			}),
			/the request could not be read: Too large/,
		],
		[
			'sealed with another key',
			() => ({ rawBody: Buffer.from('{"sealed":"x"}') }),
			/header is missing/,
		],
	])('%s', async (_what, request, reason) => {
		expect(await receive(request())).toEqual({ noWebhookResponse: true });
		expect(response.sent).toEqual([expect.stringMatching(/^401 Rejected: /)]);
		expect([response.sent[0], wire.logged.join()]).toEqual([
			expect.stringMatching(reason),
			expect.stringMatching(reason),
		]);
		expect([wire.staticData, wire.state.starts.size]).toEqual([{}, 0]);
	});

	it.each([
		'text',
		{ id: 'whk_1', secret: '', url: 'x', owner: 'x', events: [], at: 2 },
		{ id: 'whk_1', url: 'x', owner: 'x', events: [], at: 2 },
	])('while n8n has saved no secret, but %j', async (stored) => {
		wire.state.endpoints.remove('whk_1');
		wire.staticData['eSign/node-1'] = { endpoint: [stored] };
		for (const secret of ['undefined', 'null', SECRET]) {
			await receive(requestOf(body, secret));
			expect(response.sent[0]).toContain('401');
		}
	});

	it.each([
		null,
		7,
		'text',
		[{ id: 'whk_1', secret: SECRET, at: 2 }],
		{ endpoint: null, wait: 7, mark: 'text' },
		{ endpoint: { id: 'whk_1', secret: SECRET, at: 2 }, wait: true },
	])('while n8n has saved %j, which is no record of lists', async (stored) => {
		wire.state.endpoints.remove('whk_1');
		wire.staticData['eSign/node-1'] = stored;
		await receive(requestOf(body, SECRET));
		expect(response.sent[0]).toContain('401');
	});

	it('also where somebody has changed what n8n keeps', async () => {
		wire.staticData['eSign/node-1'] = { endpoint: [null, { at: 1 }], wait: [null], mark: [null] };
		await receive({ rawBody: Buffer.from('{}') });
		expect(response.sent[0]).toContain('401');
	});

	it('by a test listener to what is signed for the published trigger', async () => {
		wire.state.save(wire.context);
		wire.mode = 'manual';
		await deliver(payloadOf('document.sent'));
		expect(response.sent[0]).toContain('401');
	});
});

describe('The same event again', () => {
	const payload = payloadOf('document.sent');

	it('starts nothing, and nothing of it is saved: n8n keeps what has run', async () => {
		await deliver(payload);
		response.status(200).send('started');
		await turns();
		expect(await deliver(payload)).toEqual(RECEIVED_BEFORE);
		expect(JSON.stringify(wire.staticData)).not.toContain(payload.id);
	});

	it('is answered 503 when n8n could not take the first, and the failure is noted', async () => {
		await deliver(payload);
		const first = response;
		const second = deliver(payload);
		await turns();
		first.status(500).send('no');
		expect(await second).toEqual({ noWebhookResponse: true });
		expect(response.sent).toEqual(['503 Another delivery of this event has not been accepted']);
		expect(wire.state.failedAt).toBeGreaterThan(0);
	});

	it('starts the workflow again without Deduplicate, and where it has no id', async () => {
		begin({ 'options.deduplicate': false });
		for (let n = 0; n < 2; n++) {
			expect(await deliver(payload)).toHaveProperty('workflowData');
			response.status(200).send('started');
		}
		// None of them says that an answer was lost.
		expect(wire.state.failedAt).toBe(0);
		begin();
		for (let n = 0; n < 2; n++)
			expect(await deliver({ ...payload, id: 7 })).toHaveProperty('workflowData');
	});
});

it('a delivery whose sender has hung up is neither answered nor accepted, and is looked after', async () => {
	const payload = payloadOf('document.sent');
	const gone = new WebResponse();
	gone.close();
	expect(await deliver(payload, gone)).toEqual({ noWebhookResponse: true });
	expect([gone.sent, wire.state.starts.size]).toEqual([[], 0]);
	expect([wire.state.failedAt > 0, wire.state.sharedAt]).toEqual([true, 0]);
	// Another process looks after it.
	wire.state.watch = undefined;
	await deliver(payload, gone);
	expect(wire.state.sharedAt).toBeGreaterThan(0);
	expect(await deliver(payload)).toHaveProperty('workflowData');
});
