import type { ServerResponse } from 'node:http';
import type { IExecuteFunctions } from 'n8n-workflow';
import { ESign } from '../../../nodes/ESign/ESign.node';
import { N8n } from '../../support/n8nCore/n8n';
import { defaultSettings } from '../../../nodes/ESign/client/settings';
import { Client, type Endpoint } from '../../../nodes/ESign/client';
import { inNode } from '../support/inNode';
import { LimitedService } from '../support/limitedService';
import { quickClient } from '../support/quickClient';
import { json, scriptedOfThisFile } from '../support/scriptedService';
import { VirtualClock } from '../support/virtualClock';

const ESIGN = 'n8n-nodes-esign.eSign';

const DOCUMENT = {
	id: 'doc_1',
	status: 'in_progress',
	title: 'T',
	recipients: [],
	created_at: '2026-11-21T00:00:00.000Z',
};

let answer: (response: ServerResponse) => void;
let clock: VirtualClock;
let client: Client;
let begin: number;

const service = scriptedOfThisFile((_, response) => answer(response));

beforeEach(() => {
	clock = new VirtualClock();
	client = quickClient({ clock });
	begin = clock.now();
});

const path = { id: 'doc_1' };

/** So many calls of one execution, one after the other. */
async function begun(
	count: number,
	endpoint: Endpoint = 'GET /documents/{id}',
	credential = service.credential,
) {
	return await inNode(credential, async (context) => {
		for (let call = 0; call < count; call++) await client.call(context, endpoint, { path });
	});
}

/** The same, while time passes. */
const calls = async (...asked: Parameters<typeof begun>) => await clock.run(begun(...asked));

/** Refuses so many requests, and takes the next ones. */
function refusing(
	times: number,
	headers: Record<string, string>,
): (response: ServerResponse) => void {
	let left = times;
	const refused = { error: { code: 'request_failed', message: '' } };
	return (response) =>
		left-- > 0
			? json(response, 429, refused, headers)
			: json(response, 200, { ...DOCUMENT, reminded: 1 });
}

/** A service with so many requests per window. */
function limited(limit: number, windowMs: number): (response: ServerResponse) => void {
	const limits = new LimitedService(clock, { limit, windowMs });
	return (response) => {
		const { accepted, remaining, resetSeconds } = limits.answer();
		const headers = {
			'x-ratelimit-limit': `${limit}`,
			'x-ratelimit-remaining': `${remaining}`,
			'x-ratelimit-reset': `${resetSeconds}`,
			...(!accepted && { 'retry-after': `${resetSeconds}` }),
		};
		// What each endpoint that is called here answers with.
		json(response, accepted ? 200 : 429, { ...DOCUMENT, mode: 'TEST', data: [] }, headers);
	};
}

describe('Waiting for the rate limit', () => {
	it('is shared by all executions on a key, and none is refused', async () => {
		answer = limited(5, 60_000);
		await clock.run(Promise.all([begun(6), begun(6)]));
		expect(service.seen).toHaveLength(12);
	});

	it('is not shared by another key', async () => {
		for (const apiKey of ['sk_test_a', 'sk_test_b']) {
			answer = limited(1, 60_000);
			await calls(1, 'GET /account', { ...service.credential, apiKey });
		}
		expect(clock.now()).toBe(begin);
	});

	it('tells the user once it has taken some seconds, in one hint that grows', async () => {
		answer = limited(2, 30_000);
		const message = 'Waited 60 s for the rate limit of the API key (2 requests per minute)';
		expect((await calls(6)).hints).toEqual([expect.objectContaining({ message })]);
	});

	it('says nothing of a short wait', async () => {
		answer = limited(1, 1000);
		expect((await calls(2)).hints).toEqual([]);
	});

	it.each<Endpoint>(['GET /documents/{id}', 'POST /documents', 'POST /documents/{id}/remind'])(
		'after a 429 to %s takes as long as the service says, and the call is sent again',
		async (endpoint) => {
			answer = refusing(2, { 'retry-after': '20' });
			await calls(1, endpoint);
			expect(service.seen).toHaveLength(3);
			expect(clock.now() - begin).toBeGreaterThanOrEqual(40_000);
			expect(clock.now() - begin).toBeLessThan(41_000);
		},
	);

	it('for a key that others use up ends with an error', async () => {
		answer = refusing(Infinity, { 'retry-after': '60' });
		await expect(calls(1, 'POST /documents')).rejects.toMatchObject({
			httpCode: '429',
			message: expect.stringContaining('rate limit'),
			context: { code: 'request_failed' },
		});
		expect(clock.now() - begin).toBeLessThanOrEqual(660_000);
	});

	it.each([
		['3600', '60 min'],
		['5400.5', '90 min'],
		['18000', '5 h'],
		[`${2 ** 31}`, '24 h or more'],
	])('for %s s is not begun, and nothing is sent twice', async (seconds, words) => {
		answer = refusing(Infinity, { 'retry-after': seconds });
		await expect(calls(1, 'POST /templates/{id}/send')).rejects.toMatchObject({
			httpCode: '429',
			message: `Could not create the document from the template: the rate limit of this API key is used up, and resets in ${words}`,
			description: `Nothing has been carried out. Try again in ${words}, or use a key with room left.`,
			context: { outcome: 'not sent' },
		});
		expect(clock.now()).toBe(begin);
		expect(service.seen).toHaveLength(1);
	});

	it.each(['retry-after', 'x-ratelimit-reset'])(
		'that %s forbids after a lost answer leaves the call in doubt',
		async (name) => {
			const refuse = refusing(Infinity, { [name]: '259200' });
			answer = (response) => (service.seen.length === 1 ? response.destroy() : refuse(response));
			const failure = calls(1, 'POST /templates/{id}/send');
			await expect(failure).rejects.toMatchObject({ context: { outcome: 'in doubt' } });
			expect(service.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
		},
	);
});

describe('A list that a person waits for', () => {
	it.each([
		['the limit is used up', 'resets in 42 s', () => limited(1, 42_000), 1],
		[
			'another client has used it up',
			'resets in 30 s',
			() => refusing(9, { 'retry-after': '30' }),
			0,
		],
	])('says at once that %s, and for how long', async (_, words, script, room) => {
		answer = script();
		const form = new N8n({ [ESIGN]: new ESign() }, service.credential);
		const list = async () =>
			await clock.run(client.call(form.loadOptionsContext(ESIGN, {}), 'GET /documents'));
		for (let left = room; left > 0; left--) await list();
		await expect(list()).rejects.toMatchObject({
			httpCode: '429',
			message: `Could not list the documents: the rate limit of this API key is used up, and ${words}`,
		});
		expect(clock.now()).toBe(begin);
		expect(service.seen).toHaveLength(1);
	});
});

it('a computer whose clock is set back is not waited for', async () => {
	const { clock: own } = defaultSettings;
	const before = own.now();
	jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
	try {
		await own.sleep(2);
		expect(own.now()).toBeGreaterThan(before);
		expect(own.now()).toBeLessThan(before + 60_000);
	} finally {
		jest.restoreAllMocks();
	}
});

it('a pause that is over before it begins leaves no timer behind', async () => {
	const timers = jest.spyOn(AbortSignal, 'timeout');
	await defaultSettings.clock.sleep(600_000, AbortSignal.abort());
	expect(timers).not.toHaveBeenCalled();
	jest.restoreAllMocks();
});

describe('Cancelling an execution', () => {
	it.each<[string, (response: ServerResponse) => void]>([
		['the service answers', () => undefined],
		['a lost answer is followed up', (response) => json(response, 500, {})],
	])('while %s says that the outcome is in doubt', async (_, reply) => {
		const stop = new AbortController();
		answer = (response) => {
			reply(response);
			setTimeout(() => stop.abort(), 50);
		};
		// In real time: without a prompt end these would outlast the test.
		const patient = new Client({ backoffMs: 60_000, longestBackoffMs: 60_000 });
		const work = async (context: IExecuteFunctions) =>
			await patient.call(context, 'POST /documents/{id}/send', { path, itemIndex: 4 });
		await expect(inNode(service.credential, work, { signal: stop.signal })).rejects.toMatchObject({
			message: 'The execution was cancelled while trying to send the document',
			description: expect.stringContaining('It may have been carried out.') as string,
			context: { outcome: 'in doubt', itemIndex: 4 },
		});
	});
});
