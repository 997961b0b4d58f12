import type { ServerResponse } from 'node:http';
import type { IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import { ESign } from '../../../nodes/ESign/ESign.node';
import { N8n } from '../../../harness/n8nCore/n8n';
import { defaultSettings } from '../../../nodes/ESign/client/settings';
import { Client, type Endpoint } from '../../../nodes/ESign/client';
import { inNode } from '../support/inNode';
import { quickClient } from '../support/quickClient';
import { json, startScripted, type ScriptedService } from '../support/scriptedService';
import { VirtualClock } from '../support/virtualClock';

const ESIGN = 'n8n-nodes-esign.eSign';

const DOCUMENT = {
	id: 'doc_1',
	status: 'in_progress',
	title: 'T',
	recipients: [],
	created_at: '2026-11-21T00:00:00.000Z',
};

let service: ScriptedService;
let answer: (response: ServerResponse) => void;

beforeAll(async () => {
	service = await startScripted((_, response) => answer(response));
});
beforeEach(() => {
	service.seen.length = 0;
});
afterAll(async () => await service.close());

const path = { id: 'doc_1' };

/** A service with so many requests per window, told by the given clock. */
function limited(clock: VirtualClock, limit: number, windowMs: number): (response: ServerResponse) => void {
	let endsAt = 0;
	let used = 0;
	return (response) => {
		if (clock.now() >= endsAt) {
			endsAt = clock.now() + windowMs;
			used = 0;
		}
		const refused = used >= limit;
		if (!refused) used += 1;
		const reset = `${Math.ceil((endsAt - clock.now()) / 1000)}`;
		const headers = {
			'x-ratelimit-limit': `${limit}`,
			'x-ratelimit-remaining': `${limit - used}`,
			'x-ratelimit-reset': reset,
		};
		if (refused)
			return json(
				response,
				429,
				{ error: { code: 'request_failed', message: '' } },
				{ ...headers, 'retry-after': reset },
			);
		// What each endpoint that is called here answers with.
		json(response, 200, { ...DOCUMENT, mode: 'TEST', data: [] }, headers);
	};
}

describe('Waiting for the rate limit', () => {
	it('is shared by all executions on a key, and none is refused', async () => {
		const clock = new VirtualClock();
		const client = quickClient({ clock });
		answer = limited(clock, 5, 60_000);
		const execution = async () =>
			await inNode(service.credential, async (context) => {
				for (let item = 0; item < 6; item++) await client.call(context, 'GET /documents/{id}', { path });
			});
		await clock.run(Promise.all([execution(), execution()]));
		expect(service.seen).toHaveLength(12);
	});

	it('is not shared by another key', async () => {
		const clock = new VirtualClock();
		const client = quickClient({ clock });
		const begin = clock.now();
		const counters = [limited(clock, 1, 60_000), limited(clock, 1, 60_000)];
		for (const [index, apiKey] of ['sk_test_a', 'sk_test_b'].entries()) {
			answer = counters[index] ?? answer;
			await clock.run(
				inNode({ ...service.credential, apiKey }, async (context) => await client.call(context, 'GET /account')),
			);
		}
		expect(clock.now()).toBe(begin);
	});

	it('tells the user once it has taken some seconds, in one hint that grows', async () => {
		const clock = new VirtualClock();
		const client = quickClient({ clock });
		answer = limited(clock, 2, 30_000);
		const { hints } = await clock.run(
			inNode(service.credential, async (context) => {
				for (let item = 0; item < 6; item++) await client.call(context, 'GET /documents/{id}', { path });
			}),
		);
		expect(hints).toEqual([
			expect.objectContaining({ message: 'Waited 60 s for the rate limit of the API key (2 requests per minute)' }),
		]);
	});

	it('says nothing of a short wait', async () => {
		const clock = new VirtualClock();
		const client = quickClient({ clock });
		answer = limited(clock, 1, 1000);
		const { hints } = await clock.run(
			inNode(service.credential, async (context) => {
				for (let item = 0; item < 2; item++) await client.call(context, 'GET /documents/{id}', { path });
			}),
		);
		expect(hints).toEqual([]);
	});

	it.each<Endpoint>(['GET /documents/{id}', 'POST /documents', 'POST /documents/{id}/remind'])(
		'after a 429 to %s takes as long as the service says, and the call is sent again',
		async (endpoint) => {
			const clock = new VirtualClock();
			const begin = clock.now();
			let refusals = 2;
			answer = (response) =>
				refusals-- > 0
					? json(response, 429, {}, { 'retry-after': '20' })
					: json(response, 200, { ...DOCUMENT, reminded: 1 });
			const client = quickClient({ clock });
			await clock.run(inNode(service.credential, async (context) => await client.call(context, endpoint, { path })));
			expect(service.seen).toHaveLength(3);
			expect(clock.now() - begin).toBeGreaterThanOrEqual(40_000);
			expect(clock.now() - begin).toBeLessThan(41_000);
		},
	);

	it('for a key that others use up ends with an error that says how long it took', async () => {
		const clock = new VirtualClock();
		const begin = clock.now();
		const client = quickClient({ clock });
		answer = (response) =>
			json(response, 429, { error: { code: 'request_failed', message: '' } }, { 'retry-after': '60' });
		const failure = clock.run(
			inNode(service.credential, async (context) => await client.call(context, 'POST /documents')),
		);
		await expect(failure).rejects.toMatchObject({
			httpCode: '429',
			message: expect.stringContaining('rate limit'),
			context: { code: 'request_failed' },
		});
		expect(clock.now() - begin).toBeLessThanOrEqual(600_000);
	});

	it('for a window that ends in an hour is not begun', async () => {
		const clock = new VirtualClock();
		const client = quickClient({ clock });
		answer = limited(clock, 1, 3_600_000);
		const failure = clock.run(
			inNode(service.credential, async (context) => {
				await client.call(context, 'GET /account');
				await client.call(context, 'GET /account');
			}),
		);
		await expect(failure).rejects.toThrow('resets in 60 min');
		expect(service.seen).toHaveLength(1);
	});
});

describe('A list that a person waits for', () => {
	it('says at once that the limit is used up, and for how long', async () => {
		const clock = new VirtualClock();
		const begin = clock.now();
		const client = quickClient({ clock });
		answer = limited(clock, 1, 42_000);
		const form = new N8n({ [ESIGN]: new ESign() }, service.credential);
		const list = async () =>
			await clock.run(client.call(form.loadOptionsContext(ESIGN, {}), 'GET /documents', { query: {} }));
		await list();
		await expect(list()).rejects.toMatchObject({
			httpCode: '429',
			message: 'Could not list the documents: the rate limit of this API key is used up, and resets in 42 s',
			description: 'Try again in 42 s, or use a key with room left.',
		});
		expect(clock.now()).toBe(begin);
		expect(service.seen).toHaveLength(1);
	});

	it('says so too when another client has used it up', async () => {
		const clock = new VirtualClock();
		answer = (response) => json(response, 429, {}, { 'retry-after': '30' });
		const form = new N8n({ [ESIGN]: new ESign() }, service.credential);
		const list = quickClient({ clock }).call(form.loadOptionsContext(ESIGN, {}), 'GET /documents');
		await expect(clock.run(list)).rejects.toThrow('is used up, and resets in 30 s');
		expect(service.seen).toHaveLength(1);
	});
});

describe('A success with rate limit headers that cannot be', () => {
	it.each<[string, Record<string, string>]>([
		['no number', { 'x-ratelimit-remaining': 'many' }],
		['below zero', { 'x-ratelimit-remaining': '-5' }],
		['several', { 'x-ratelimit-remaining': '9, 9' }],
		['more left than there are', { 'x-ratelimit-remaining': '900' }],
		['a window of years', { 'x-ratelimit-reset': '99999999999' }],
		['no end of the window', { 'x-ratelimit-reset': '' }],
		['no limit', { 'x-ratelimit-limit': 'none' }],
	])('(%s) leaves in force what was known', async (_, broken) => {
		const clock = new VirtualClock();
		const begin = clock.now();
		const client = quickClient({ clock });
		const serve = limited(clock, 2, 60_000);
		let number = 0;
		answer = (response) => {
			number += 1;
			if (number === 2) {
				const setHeader = response.writeHead.bind(response);
				response.writeHead = ((status: number, headers: Record<string, string>) =>
					setHeader(status, { ...headers, ...broken })) as typeof response.writeHead;
			}
			serve(response);
		};
		await clock.run(
			inNode(service.credential, async (context) => {
				for (let item = 0; item < 3; item++) await client.call(context, 'GET /documents/{id}', { path });
			}),
		);
		expect(service.seen).toHaveLength(3);
		expect(clock.now() - begin).toBe(60_000);
	});

	it('none at all, while a window is known, leaves it in force', async () => {
		const clock = new VirtualClock();
		const begin = clock.now();
		const client = quickClient({ clock });
		const serve = limited(clock, 2, 60_000);
		let number = 0;
		answer = (response) => (++number === 2 ? json(response, 200, DOCUMENT) : serve(response));
		await clock.run(
			inNode(service.credential, async (context) => {
				for (let item = 0; item < 3; item++) await client.call(context, 'GET /documents/{id}', { path });
			}),
		);
		expect(clock.now() - begin).toBe(60_000);
	});
});

describe('A computer whose clock is set back', () => {
	it('waits no longer for it', async () => {
		const { clock } = defaultSettings;
		const before = clock.now();
		const real = Date.now();
		jest.spyOn(Date, 'now').mockReturnValue(real - 3_600_000);
		try {
			await clock.sleep(2);
			expect(clock.now()).toBeGreaterThan(before);
			expect(clock.now()).toBeLessThan(before + 60_000);
		} finally {
			jest.restoreAllMocks();
		}
	});
});

/** Runs one call in an execution that is cancelled when `stop` fires, and gives what the call failed with. */
async function failureOfCancelled(
	client: Client,
	endpoint: Endpoint,
	stop: AbortController,
): Promise<NodeOperationError> {
	return await new Promise((resolve, reject) => {
		const work = async (context: IExecuteFunctions) =>
			await client.call(context, endpoint, { path, itemIndex: 4 }).then(() => reject(new Error('No failure')), resolve);
		inNode(service.credential, work, { signal: stop.signal }).catch(reject);
	});
}

describe('Cancelling an execution', () => {
	/** In real time: without a prompt end these would outlast the test. */
	const settings = { backoffMs: 60_000, longestBackoffMs: 60_000 };

	it.each<[Endpoint, string]>([
		['POST /documents', 'before it could create the document'],
		['GET /documents', 'before it could list the documents'],
	])('ends the wait of %s for the limit, and nothing has been sent', async (endpoint, words) => {
		const stop = new AbortController();
		let onSleep = (): void => undefined;
		const sleep = async (milliseconds: number, signal?: AbortSignal) => {
			onSleep();
			await defaultSettings.clock.sleep(milliseconds, signal);
		};
		const client = new Client({ ...settings, clock: { ...defaultSettings.clock, sleep } });
		answer = limited(new VirtualClock(), 1, 60_000);
		await inNode(service.credential, async (context) => await client.call(context, 'GET /account'));
		onSleep = () => stop.abort();
		const failure = await failureOfCancelled(client, endpoint, stop);
		expect(failure.message).toContain(words);
		expect(failure.context).toMatchObject({ cancelled: true, mayHaveHappened: false, itemIndex: 4 });
		expect(service.seen).toHaveLength(1);
	});

	it.each<[string, (response: ServerResponse) => void]>([
		['the service answers', () => undefined],
		['a lost answer is followed up', (response) => json(response, 500, {})],
	])('while %s says that the outcome is in doubt', async (_, reply) => {
		const stop = new AbortController();
		answer = (response) => {
			reply(response);
			setTimeout(() => stop.abort(), 50);
		};
		const failure = await failureOfCancelled(new Client(settings), 'POST /documents/{id}/send', stop);
		expect(failure.message).toContain('cancelled while trying to send the document');
		expect(failure.description).toContain('may or may not');
		expect(failure.context).toMatchObject({ cancelled: true, mayHaveHappened: true });
	});
});
