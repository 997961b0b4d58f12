import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { receiveDelivery } from '../../../nodes/ESign/trigger/delivery/receive';
import { keyOf, messageKey, newMessage, seal, unseal, type Answer } from '../../../nodes/ESign/waiting/message';
import { payloadOf, signatureOf } from '../support/deliveries';
import { stopClock, WebResponse } from '../support/webResponse';
import { Wire } from '../support/wire';

const SECRET = 's_whk_1';
const IGNORED = { webhookResponse: 'Ignored: this event is not selected' };

let wire: Wire;
let response: WebResponse;
let mode: string;

/** An active trigger for the two events, with these options. */
function begin(options: IDataObject = {}): void {
	wire = new Wire({ events: ['document.sent', 'document.completed'], ...options });
	wire.add('whk_1');
	wire.state.isWatched = true;
	mode = 'webhook';
	stopClock();
}

beforeEach(() => begin());

/** What comes of a request; its response is a new one unless given. */
async function receive(request: object, given = new WebResponse()) {
	response = given;
	const webhook = {
		getMode: () => mode,
		getRequestObject: () => ({ headers: {}, ...request }),
		getResponseObject: () => response,
		getNodeWebhookUrl: () => Wire.URL,
	};
	return await receiveDelivery({ ...wire.context, ...webhook } as unknown as IWebhookFunctions, wire.process);
}

const requestOf = (body: string, secret = SECRET) => ({
	rawBody: Buffer.from(body),
	headers: { 'x-esign-signature': signatureOf(body, { secret }) },
});
const deliver = async (payload: unknown, given?: WebResponse) =>
	await receive(requestOf(JSON.stringify(payload)), given);
const turns = async () => {
	for (let n = 0; n < 20; n++) await new Promise(setImmediate);
};

describe('A genuine delivery', () => {
	it('of a selected event starts the workflow with its payload, and n8n answers', async () => {
		const payload = payloadOf('document.completed');
		expect(await deliver(payload)).toEqual({ workflowData: [[{ json: payload }]] });
		expect([response.sent, [...wire.state.starts.keys()], wire.logged]).toEqual([[], [payload.id], []]);
	});

	it.each([payloadOf('recipient.viewed'), { id: 'evt', event: 'document.shredded' }, [], null, 7, 'text', {}])(
		'%j is none of a selected event, and starts nothing',
		async (payload) => expect(await deliver(payload)).toEqual(IGNORED),
	);

	it('starts nothing where no event is selected', async () => {
		begin({ events: 'document.sent' });
		expect(await deliver(payloadOf('document.sent'))).toEqual(IGNORED);
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
		expect(wire.logged).toEqual(['warn: eSign: a delivery was rejected: the body is not JSON']);
	});
});

describe('A request is answered 401', () => {
	const body = JSON.stringify(payloadOf('document.sent'));

	it.each<[string, () => object, RegExp]>([
		['without a signature', () => ({ rawBody: Buffer.from(body) }), /header is missing/],
		['signed with another secret', () => requestOf(body, 'other'), /no signature matches/],
		['with another body', () => ({ ...requestOf(body), rawBody: Buffer.from(`${body} `) }), /no signature matches/],
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
		['sealed with another key', () => ({ rawBody: Buffer.from('{"sealed":"x"}') }), /header is missing/],
	])('%s', async (_what, request, reason) => {
		expect(await receive(request())).toEqual({ noWebhookResponse: true });
		expect(response.sent).toEqual([expect.stringMatching(/^401 Rejected: /)]);
		expect([response.sent[0], wire.logged.join()]).toEqual([
			expect.stringMatching(reason),
			expect.stringMatching(reason),
		]);
	});

	it('by a test listener to what is signed for the published trigger', async () => {
		mode = 'manual';
		await deliver(payloadOf('document.sent'));
		expect(response.sent[0]).toContain('401');
	});
});

describe('The same event again', () => {
	const payload = payloadOf('document.sent');

	it('starts nothing, and is saved as accepted', async () => {
		await deliver(payload);
		response.status(200).send('started');
		expect(Object.keys(wire.staticData)).toEqual([]);
		expect(await deliver(payload)).toEqual({ webhookResponse: 'Ignored: this event was received before' });
		expect(Object.keys(wire.staticData)).toContain(`eSign/node-1/event/${payload.id}`);
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
		for (let n = 0; n < 2; n++) expect(await deliver({ ...payload, id: 7 })).toHaveProperty('workflowData');
	});
});

it('a delivery whose sender has hung up is neither answered nor accepted, and is looked after', async () => {
	const payload = payloadOf('document.sent');
	const gone = new WebResponse();
	gone.close();
	expect(await deliver(payload, gone)).toEqual({ noWebhookResponse: true });
	expect([gone.sent, wire.state.starts.size]).toEqual([[], 0]);
	expect(wire.state.failedAt).toBeGreaterThan(0);
	expect(await deliver(payload)).toHaveProperty('workflowData');
});

describe('A message to the trigger’s own webhook', () => {
	/** The secret of an endpoint that the trigger does not know. */
	const ADDED = 'whsec_added';
	const member = { id: 'whk_added', secret: ADDED, url: Wire.URL, events: [], owner: 'x', test: false, at: Date.now() };
	const message = () => newMessage({ owner: 'n8n/workflow/node-1', state: { endpoint: [member] } });
	const sealed = async (one = message()) => seal(one, await keyOf(wire.context));
	const send = async (text: unknown, headers = {}) =>
		await receive({ rawBody: Buffer.from(JSON.stringify({ sealed: text })), headers });
	const isBelieved = async () =>
		'workflowData' in (await receive(requestOf(JSON.stringify(payloadOf('document.sent')), ADDED)));

	it('makes an endpoint known and is answered, if whoever sends it has the API key', async () => {
		expect(await isBelieved()).toBe(false);
		const sent = message();
		const { webhookResponse } = await send(await sealed(sent));
		expect(unseal<Answer>(webhookResponse, await keyOf(wire.context))).toMatchObject({
			nonce: sent.nonce,
			state: { endpoint: [{ id: 'whk_added' }, { id: 'whk_1' }] },
		});
		expect([response.sent, await isBelieved()]).toEqual([[], true]);
		expect(Object.keys(wire.staticData)).toContain('eSign/node-1/endpoint/whk_added');
	});

	it.each<[string, () => Promise<unknown>]>([
		['sealed with a signing secret', async () => seal(message(), messageKey(SECRET))],
		['for another trigger', async () => await sealed({ ...message(), owner: 'n8n/other/node' })],
		['without an owner', async () => await sealed({ ...message(), owner: undefined })],
		['older than five minutes', async () => await sealed({ ...message(), at: Date.now() - 301_000 })],
		['without a time', async () => await sealed({ ...message(), at: undefined as unknown as number })],
		['changed by one bit', async () => changed(await sealed())],
		['cut short', async () => (await sealed()).slice(0, 20)],
		['that is not sealed', async () => JSON.stringify(message())],
		['that is no text', async () => message()],
	])('%s is refused and changes nothing', async (_what, make) => {
		await send(await make());
		expect(response.sent).toEqual(['401 Rejected: the x-esign-signature header is missing']);
		expect([wire.staticData, await isBelieved()]).toEqual([{}, false]);
	});

	it('is none where it comes with a signature', async () => {
		await send(await sealed(), { 'x-esign-signature': 't=1,v1=2' });
		expect(response.sent[0]).toContain('401');
	});
});

function changed(sealed: string): string {
	const bytes = Buffer.from(sealed, 'base64');
	const middle = bytes.length >> 1;
	bytes[middle] = (bytes[middle] ?? 0) ^ 1;
	return bytes.toString('base64');
}

describe('Whoever waits for a document', () => {
	const wait = { key: 'k', resume: '../../webhook-waiting/7', round: 0, isOver: false, at: 1 };
	const waitFor = (...documents: string[]) =>
		wire.state.waits.keep({ ...wait, id: '7', documents, until: Date.now() + 1e6 });
	const woken = () => wire.messages.map(({ wake }) => wake);
	const ended = payloadOf('document.declined', { document: { ...payloadOf('document.sent').document, id: 'doc_1' } });

	it('is called when that ends, once the sender has its answer, also if the event is not selected', async () => {
		waitFor('doc_1');
		expect(await deliver(ended)).toEqual(IGNORED);
		await turns();
		expect(woken()).toEqual([]);
		response.close();
		await turns();
		expect(woken()).toEqual(['k']);
	});

	it.each([
		['viewed', { ...ended, event: 'recipient.viewed' }],
		['another', payloadOf('document.completed')],
		['none', { ...ended, document: null }],
	])('is not called for an event of it that is no end: %s', async (_what, payload) => {
		waitFor('doc_1', 'doc_2');
		await deliver(payload);
		response.close();
		await turns();
		expect([woken(), wire.state.waits.get('7')?.documents]).toEqual([[], ['doc_1', 'doc_2']]);
	});

	it.each([
		[true, false, 0],
		[true, true, 1],
		[false, false, 1],
	])('is counted down in other processes too: the trigger runs here %s, there are others %s', async (...given) => {
		const [isWatched, hasPeers, shared] = given;
		Object.assign(wire.state, { isWatched, hasPeers });
		waitFor('doc_1', 'doc_2');
		await deliver(ended);
		expect(wire.state.waits.get('7')?.documents).toEqual(['doc_2']);
		expect(wire.state.sharedAt === undefined ? 0 : 1).toBe(shared);
	});
});
