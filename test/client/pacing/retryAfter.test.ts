import type { ServerResponse } from 'node:http';
import { Client } from '../../../nodes/ESign/client';
import { inNode } from '../support/inNode';
import { quickClient } from '../support/quickClient';
import { json, startScripted, type ScriptedService } from '../support/scriptedService';
import { VirtualClock } from '../support/virtualClock';

let service: ScriptedService;
let answer: (response: ServerResponse) => void;

beforeAll(async () => {
	service = await startScripted((_, response) => answer(response));
});
beforeEach(() => {
	service.seen.length = 0;
});
afterAll(async () => await service.close());

const SEND = 'POST /templates/{id}/send';

const DAY_MS = 86_400_000;

/** An HTTP date so many milliseconds from now, and the time of the answer by the same clock. */
const dateIn = (milliseconds: number) => ({
	date: new Date(DAY_MS).toUTCString(),
	'retry-after': new Date(DAY_MS + milliseconds).toUTCString(),
});

/** A client call of an item, by a clock that stands still unless somebody waits. */
async function send(clock: VirtualClock, patienceMs?: number) {
	const client = quickClient({ clock, ...(patienceMs && { rateLimitPatienceMs: patienceMs }) });
	const request = { path: { id: 'tpl_1' }, body: { recipients: [] } };
	return await clock.run(inNode(service.credential, async (context) => await client.call(context, SEND, request)));
}

describe('A 429', () => {
	it.each<[string, Record<string, string>, string]>([
		['an hour', { 'retry-after': '3600' }, '60 min'],
		['an hour and a half in a fraction', { 'retry-after': '5400.5' }, '90 min'],
		['five hours', { 'retry-after': '18000' }, '5 h'],
		['days', { 'retry-after': '259200' }, '24 h or more'],
		['more than a timer of Node.js can hold', { 'retry-after': `${2 ** 31}` }, '24 h or more'],
		['as much as a number can hold', { 'retry-after': '1e300' }, '24 h or more'],
		['a time that is five hours away', dateIn(5 * 3_600_000), '5 h'],
		['a time that is days away', dateIn(5 * DAY_MS), '24 h or more'],
		['the last of all dates', { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, '24 h or more'],
		['a window that ends in an hour', { 'x-ratelimit-reset': '3600' }, '60 min'],
		['a window that ends in days', { 'x-ratelimit-reset': '259200' }, '24 h or more'],
		['a window that never ends', { 'x-ratelimit-reset': '1e300' }, '24 h or more'],
	])('that asks for %s is given up before anybody waits, and nothing is sent twice', async (_, headers, words) => {
		const clock = new VirtualClock();
		const begin = clock.now();
		answer = (response) => json(response, 429, { error: { code: 'request_failed', message: '' } }, headers);
		await expect(send(clock)).rejects.toMatchObject({
			httpCode: '429',
			message: `Could not create the document from the template: the rate limit of this API key is used up, and resets in ${words}`,
			description: `Nothing has been carried out. Try again in ${words}, or use a key with room left.`,
			context: { outcome: 'not sent' },
		});
		expect(clock.now()).toBe(begin);
		expect(service.seen).toHaveLength(1);
	});

	it.each<[string, Record<string, string>]>([
		['nothing', {}],
		['NaN', { 'retry-after': 'NaN' }],
		['Infinity', { 'retry-after': 'Infinity' }],
		['less than nothing', { 'retry-after': '-86400' }],
		['two things', { 'retry-after': '86400, 86400' }],
		['words', { 'retry-after': 'tomorrow' }],
		['no time', { 'retry-after': '0' }],
		['a time that has passed', dateIn(-DAY_MS)],
		['a window below zero', { 'x-ratelimit-reset': '-1' }],
		['a window that is no number', { 'x-ratelimit-reset': 'NaN' }],
	])('that asks for %s is waited out for a second', async (_, headers) => {
		const clock = new VirtualClock();
		const begin = clock.now();
		let refusals = 1;
		answer = (response) => (refusals-- > 0 ? json(response, 429, {}, headers) : json(response, 200, { id: 'doc_1' }));
		await expect(send(clock)).resolves.toMatchObject({ value: { id: 'doc_1' } });
		expect(clock.now() - begin).toBeGreaterThanOrEqual(1000);
		expect(clock.now() - begin).toBeLessThan(2500);
		expect(service.seen).toHaveLength(2);
	});

	it.each([
		['a 429 that comes after a lost answer', { 'retry-after': '259200' }],
		['one that only the window tells', { 'x-ratelimit-reset': '259200' }],
	])('leaves a call in doubt: %s', async (_, headers) => {
		const clock = new VirtualClock();
		let isFirst = true;
		answer = (response) => {
			if (isFirst) response.destroy();
			else json(response, 429, {}, headers);
			isFirst = false;
		};
		await expect(send(clock)).rejects.toMatchObject({ context: { outcome: 'in doubt' } });
		expect(service.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
	});
});

describe('A wait that is longer than a timer of Node.js can hold', () => {
	/** Passes much more time than it is asked for, so that weeks pass within a test. */
	class HastyClock {
		asked: number[] = [];

		private time = 1_700_000_000_000;

		now(): number {
			return this.time;
		}

		async sleep(milliseconds: number): Promise<void> {
			this.asked.push(milliseconds);
			this.time += Math.max(milliseconds, 3_600_000);
			await new Promise((resolve) => setImmediate(resolve));
		}
	}

	it('is slept in pieces, none of which is a timer that fires at once', async () => {
		const clock = new HastyClock();
		const begin = clock.now();
		await new Client({ clock }).pause(2 ** 31 + 5000);
		expect(clock.now() - begin).toBeGreaterThanOrEqual(2 ** 31 + 5000);
		expect(Math.max(...clock.asked)).toBeLessThan(2 ** 31);
	});

	it('is so too while a call waits for its turn, whatever its patience', async () => {
		const clock = new HastyClock();
		const begin = clock.now();
		let refusals = 1;
		const headers = { 'retry-after': `${2 ** 40}` };
		answer = (response) => (refusals-- > 0 ? json(response, 429, {}, headers) : json(response, 200, { id: 'doc_1' }));
		const client = quickClient({ clock, rateLimitPatienceMs: 2 ** 45 });
		const request = { path: { id: 'tpl_1' }, body: { recipients: [] } };
		await inNode(service.credential, async (context) => await client.call(context, SEND, request));
		expect(clock.now() - begin).toBeGreaterThanOrEqual(DAY_MS);
		expect(Math.max(...clock.asked)).toBeLessThan(2 ** 31);
		expect(service.seen).toHaveLength(2);
	});
});
