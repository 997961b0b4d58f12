import {
	type Answer,
	keyOf,
	type Message,
	messageKey,
	newMessage,
	post,
	seal,
	unseal,
	type WaitingExecution,
} from '../../../nodes/ESign/messages/message';
import type { ReceivedItem } from '../../../nodes/ESign/trigger/delivery/runEvents';
import type { Entry } from '../../../nodes/ESign/messages/entrySet';
import { payloadOf } from '../support/deliveries';
import { WebResponse } from '../support/webResponse';
import { turns, WATCH, Wire } from '../support/wire';

let wire: Wire;
let response: WebResponse;

beforeEach(() => {
	wire = new Wire({ events: ['document.sent', 'document.completed'] });
	wire.add('whk_1');
	wire.state.watch = WATCH;
	wire.stopClock();
	response = new WebResponse();
});

const sealed = async (message: Message) => seal(message, await keyOf(wire.context));
const send = async (text: unknown, headers = {}, given = new WebResponse()) => {
	response = given;
	return await wire.receive(
		{ rawBody: Buffer.from(JSON.stringify({ sealed: text })), headers },
		response,
	);
};
const answerOf = async (message: Message, given?: WebResponse) =>
	unseal<Answer>(
		(await send(await sealed(message), {}, given)).webhookResponse,
		await keyOf(wire.context),
	);
/** What n8n has saved for the trigger. */
const saved = (set: string) =>
	(wire.staticData['eSign/node-1'] as Record<string, Entry[]> | undefined)?.[set] ?? [];
const hungUp = () => Object.assign(new WebResponse(), { destroyed: true });

describe('A message to the trigger’s own webhook', () => {
	/** The secret of an endpoint that the trigger does not know. */
	const ADDED = 'whsec_added';
	const member = {
		id: 'whk_added',
		secret: ADDED,
		url: Wire.URL,
		events: [],
		owner: 'x',
		at: Date.now(),
	};
	const message = () => newMessage({ owner: 'n8n/workflow/node-1', state: { endpoint: [member] } });
	const isBelieved = async () =>
		'workflowData' in
		(await wire.deliver(payloadOf('document.sent'), new WebResponse(), { secret: ADDED }));

	it('makes an endpoint known and is answered, if whoever sends it has the API key', async () => {
		expect(await isBelieved()).toBe(false);
		const sent = message();
		expect(await answerOf(sent)).toMatchObject({
			answerTo: sent.nonce,
			state: { endpoint: [{ id: 'whk_added' }, { id: 'whk_1' }] },
		});
		expect([response.sent, await isBelieved()]).toEqual([[], true]);
		expect(saved('endpoint')).toMatchObject([{ id: 'whk_added' }, { id: 'whk_1' }]);
	});

	it.each([
		['where the trigger runs', true, 0],
		['elsewhere, where nobody saw what failed before it began', false, 1],
	])('shares the failures that a process has seen: %s', async (_where, isWatched, failures) => {
		wire.state.watch = isWatched ? WATCH : undefined;
		expect(await answerOf(message())).toMatchObject({
			state: { mark: Array(failures).fill({ id: 'failure', at: wire.process.begunAt }) },
		});
	});

	it.each<[string, () => Promise<unknown>]>([
		['sealed with a signing secret', async () => seal(message(), messageKey('s_whk_1'))],
		['for another trigger', async () => await sealed({ ...message(), owner: 'n8n/other/node' })],
		['without an owner', async () => await sealed({ ...message(), owner: undefined })],
		[
			'older than five minutes',
			async () => await sealed({ ...message(), at: Date.now() - 301_000 }),
		],
		[
			'without a time',
			async () => await sealed({ ...message(), at: undefined as unknown as number }),
		],
		['changed by one bit', async () => changed(await sealed(message()))],
		['cut short', async () => (await sealed(message())).slice(0, 20)],
		['that is not sealed', async () => JSON.stringify(message())],
		['that is no text', async () => message()],
	])('%s is refused and changes nothing', async (_what, make) => {
		await send(await make());
		expect(response.sent).toEqual(['401 Rejected: the x-esign-signature header is missing']);
		expect([wire.staticData, await isBelieved()]).toEqual([{}, false]);
	});

	it('is none where it comes with a signature', async () => {
		await send(await sealed(message()), { 'x-esign-signature': 't=1,v1=2' });
		expect(response.sent[0]).toContain('401');
	});
});

describe('An event out of a delivery log', () => {
	const owner = 'n8n/workflow/node-1';
	const event = { ...payloadOf('document.sent') };
	const give = (changed: object = {}) => newMessage({ owner, event, ...changed });
	const headerOf = async ({ headers }: WebResponse) =>
		unseal<Answer>(headers['x-esign-answer'], await keyOf(wire.context));

	it('starts the workflow as a delivery does, and n8n’s own answer is marked as ours', async () => {
		const message = give();
		expect(await send(await sealed(message))).toMatchObject({
			workflowData: [[{ json: event, delivered: { id: event.id, isFromLog: true } }]],
		});
		expect([await headerOf(response), response.sent]).toEqual([{ answerTo: message.nonce }, []]);
		expect([...wire.state.starts.keys()]).toEqual([event.id]);
	});

	it('counts from when it came, whatever the clock of its sender says', async () => {
		const now = Math.floor(Date.now() / 1_000);
		const received = await send(await sealed({ ...give(), at: Date.now() - 290_000 }));
		const [[item] = []] = received.workflowData ?? [];
		const { delivered } = item as ReceivedItem;
		expect(delivered?.signedAt).toBeGreaterThanOrEqual(now);
	});

	it.each<[string, () => Promise<unknown>]>([
		['sealed with another key', async () => seal(give(), messageKey('sk_test_other'))],
		['sealed with the secret of an endpoint', async () => seal(give(), messageKey('s_whk_1'))],
		[
			'recorded more than five minutes ago',
			async () => await sealed({ ...give(), at: Date.now() - 301_000 }),
		],
		['for another trigger', async () => await sealed(give({ owner: 'n8n/other/node' }))],
		['for no trigger', async () => await sealed(give({ owner: undefined }))],
		['whose payload was changed', async () => changed(await sealed(give()))],
		['not sealed', async () => give()],
	])('that is %s starts nothing', async (_what, make) => {
		expect(await send(await make())).toEqual({ noWebhookResponse: true });
		expect(response.sent).toEqual(['401 Rejected: the x-esign-signature header is missing']);
		expect(response.headers).toEqual({});
	});

	it('twice in the same message starts one execution', async () => {
		const text = await sealed(give());
		await send(text);
		response.status(200).send('started');
		await turns();
		expect(await send(text)).toHaveProperty('webhookResponse');
		// Nor without Deduplicate, which is about deliveries.
		wire = new Wire({ events: ['document.sent'], 'options.deduplicate': false });
		expect(await send(await sealed(give()))).toHaveProperty('workflowData');
		response.status(200).send('started');
		await turns();
		expect(await send(await sealed(give()))).toHaveProperty('webhookResponse');
	});

	it('that is not selected, or for a test listener, starts nothing', async () => {
		const other = { ...payloadOf('recipient.viewed') };
		expect(await send(await sealed(give({ event: other })))).toHaveProperty('webhookResponse');
		expect(await headerOf(response)).toBeDefined();
		wire.mode = 'manual';
		await send(await sealed(give()));
		expect(response.sent[0]).toContain('401');
	});

	it('wakes whoever waits for its document', async () => {
		wire.waitFor('7', 'doc_1');
		const { document } = payloadOf('document.sent');
		const ended = payloadOf('document.completed', { document: { ...document, id: 'doc_1' } });
		await send(await sealed(give({ event: ended })));
		response.status(200).send('started');
		await turns();
		expect(wire.woken).toEqual(['k7']);
	});
});

function changed(sealed: string): string {
	const bytes = Buffer.from(sealed, 'base64');
	const middle = bytes.length >> 1;
	bytes[middle] = (bytes[middle] ?? 0) ^ 1;
	return bytes.toString('base64');
}

describe('An answer to a message', () => {
	const key = messageKey('secret');
	const contextWith = (httpRequest: unknown) =>
		({ getExecutionId: () => undefined, helpers: { httpRequest } }) as never;
	const reply = async (httpRequest: (request: object) => Promise<object>) =>
		await post(contextWith(httpRequest), 'https://n8n/x?signature=a-token', {}, { key });

	it('repeats its nonce: one that was recorded is none', async () => {
		const body = seal({ answerTo: 'recorded' }, key);
		expect(await reply(async () => ({ statusCode: 200, body }))).toEqual({ status: 200, body });
	});

	it('is not the message itself, sent back by somebody who cannot read it', async () => {
		const echo = async (request: object) => {
			const { body } = request as { body: { sealed: string } };
			return { statusCode: 200, body: body.sealed };
		};
		expect(await reply(echo)).toEqual({ status: 200, body: expect.any(String) as string });
	});

	it('is not waited for where n8n refuses to send the message, in words that say why', async () => {
		let times = 0;
		const httpRequest = async () => {
			times++;
			throw new Error('The address is blocked');
		};
		const reply = await post(
			contextWith(httpRequest),
			'https://n8n/x',
			{},
			{ key, isPatient: true },
		);
		const why = 'n8n did not send it: The address is blocked';
		expect([reply, times]).toEqual([{ why, isRefused: true }, 1]);
	});

	it('is not looked for at another address, and what is said of a failure does not hold the address', async () => {
		const failed = reply(async (request) => {
			expect(request).toMatchObject({ disableFollowRedirect: true });
			throw Object.assign(new Error('connect to https://n8n/x?signature=a-token'), {
				code: 'ECONNREFUSED',
			});
		});
		expect(await failed).toEqual({ why: 'cannot be reached from n8n (ECONNREFUSED)' });
	});
});

describe('A request to wake an execution', () => {
	/** Tells the trigger of an execution that waits, as a node of this n8n does. */
	async function tell(request: Partial<WaitingExecution>): Promise<unknown> {
		const resumeUrl = '/webhook-waiting/5';
		const asked = { id: 'k', execution: '5', resumeUrl, at, documents: ['doc_1'], ...request };
		return (await answerOf(newMessage({ wait: asked })))?.wait;
	}
	const at = Date.now();
	const stored = (id = 'k') => saved('wait').find((wait) => wait.id === id);

	it('is taken and saved, and the same if it is repeated', async () => {
		expect([await tell({}), await tell({})]).toEqual(['taken', 'taken']);
		expect(stored()).toMatchObject({ execution: '5', documents: ['doc_1'] });
	});

	it('that comes again with fewer documents waits for those', async () => {
		for (const documents of [['doc_1', 'doc_2'], ['doc_2'], ['doc_1', 'doc_2', 'doc_3']])
			await tell({ documents });
		expect(stored()).toMatchObject({ documents: ['doc_2'] });
	});

	it('of an execution that does not wait any longer is forgotten, and does not come back', async () => {
		await tell({});
		await tell({ documents: [] });
		// A message that was late on its way, or recorded.
		await tell({});
		expect([stored(), wire.state.waits.all()]).toEqual([{ id: 'k', at, isRemoved: true }, []]);
	});

	it('is shared once n8n has saved it, and again if n8n does not answer, whoever has hung up before', async () => {
		const [pass, began] = [wire.stopClock(), wire.time];
		await answerOf(newMessage({ owner: 'n8n/workflow/node-1' }), hungUp());
		const passes = async () => {
			pass();
			await turns();
		};
		await tell({});
		await passes();
		response.close();
		wire.isReachable = false;
		await passes();
		expect([wire.time - began, wire.messages]).toEqual([6_000, []]);
		wire.isReachable = true;
		await passes();
		expect(wire.messages).toHaveLength(1);
	});

	it('is refused where a thousand wait, and not heard by a test listener', async () => {
		for (let n = 0; n < 1_000; n++) wire.waitFor(String(n), 'doc_1');
		expect([await tell({}), stored()]).toEqual(['full', undefined]);
		wire.mode = 'manual';
		expect(await tell({})).toBeUndefined();
		expect(response.sent[0]).toContain('401');
	});

	it('leaves no trace of n8n’s token in the log', async () => {
		wire.isReachable = false;
		await tell({ resumeUrl: '/webhook-waiting/5?signature=a-token-of-n8n' });
		await wire.deliver(
			payloadOf('document.declined', { document: { id: 'doc_1' } as never }),
			response,
		);
		response.close();
		await turns();
		expect(wire.logged.join('\n')).toContain('execution 5 could not be woken: it answered 502');
		expect(wire.logged.join('\n')).not.toContain('a-token-of-n8n');
	});
});

describe('Whoever waits for a document', () => {
	const ended = payloadOf('document.declined', {
		document: { ...payloadOf('document.sent').document, id: 'doc_1' },
	});

	it('is called when that ends, once the sender has its answer, also if the event is not selected, and others learn of it', async () => {
		wire.waitFor('7', 'doc_1');
		expect(await wire.deliver(ended, response)).toHaveProperty('webhookResponse');
		expect(wire.state.sharedAt).toBeGreaterThan(0);
		await turns();
		expect(wire.woken).toEqual([]);
		response.close();
		await turns();
		expect(wire.woken).toEqual(['k7']);
	});

	it('is called at once if the sender has hung up', async () => {
		wire.waitFor('7', 'doc_1');
		response.close();
		await wire.deliver(ended, response);
		await turns();
		expect(wire.woken).toEqual(['k7']);
	});

	it.each([
		['viewed', { ...ended, event: 'recipient.viewed' }],
		['another', payloadOf('document.completed')],
		['none', { ...ended, document: null }],
	])('is not called for an event of it that is no end: %s', async (_what, payload) => {
		wire.waitFor('7', 'doc_1', 'doc_2');
		await wire.deliver(payload, response);
		response.close();
		await turns();
		expect([wire.woken, wire.state.waits.get('k7')?.documents]).toEqual([[], ['doc_1', 'doc_2']]);
	});
});
