import type { IN8nHttpFullResponse } from 'n8n-workflow';
import { answerOf } from '../../../nodes/ESign/client/pacing/rateWindow';

const NOW = Date.parse('2026-11-22T12:00:00Z');

const DAY = 86_400;

function answer(statusCode: number, headers: Record<string, string>) {
	return answerOf({ statusCode, headers, body: {} } as IN8nHttpFullResponse, NOW - 50, NOW);
}

describe('A 429 keeps away', () => {
	it.each<[string, Record<string, string>, number]>([
		['for as long as it says', { 'retry-after': '3600' }, 3600],
		['for a fraction of a second', { 'retry-after': '5400.5' }, 5400.5],
		['for a day at most', { 'retry-after': `${3 * DAY}` }, DAY],
		['for a day at most, whatever a number can hold', { 'retry-after': '1e300' }, DAY],
		['until its window ends', { 'x-ratelimit-reset': '3600' }, 3600],
		['until a window that never ends', { 'x-ratelimit-reset': '1e300' }, DAY],
		['not at all', { 'retry-after': '0' }, 0],
		['for a second where it says nothing', {}, 1],
		['for a second: NaN', { 'retry-after': 'NaN' }, 1],
		['for a second: Infinity', { 'retry-after': 'Infinity' }, 1],
		['for a second: less than nothing', { 'retry-after': '-86400' }, 1],
		['for a second: two things', { 'retry-after': '86400, 86400' }, 1],
		['for a second: words', { 'retry-after': 'Sun, 22 Nov 2026 12:00:30 GMT' }, 1],
		['for a second: a window below zero', { 'x-ratelimit-reset': '-1' }, 1],
		['for a second: a window that is no number', { 'x-ratelimit-reset': 'NaN' }, 1],
	])('%s', (_, headers, seconds) => {
		expect(answer(429, headers)).toMatchObject({
			remaining: 0,
			resetSeconds: seconds,
			isRefusal: true,
		});
	});
});

describe('Any other answer', () => {
	const HEADERS = {
		'x-ratelimit-limit': '10',
		'x-ratelimit-remaining': '4',
		'x-ratelimit-reset': '30',
	};

	it.each([200, 404, 500])(
		'with status %d and the headers is a reading of the window',
		(status) => {
			const reading = {
				limit: 10,
				remaining: 4,
				resetSeconds: 30,
				sentAt: NOW - 50,
				receivedAt: NOW,
			};
			expect(answer(status, HEADERS)).toEqual(reading);
		},
	);

	it('without the headers says that there is no limit, if it is a success', () => {
		expect([200, 299, 300, 502].map((status) => answer(status, {}))).toEqual([
			'no limit',
			'no limit',
			'unanswered',
			'unanswered',
		]);
	});

	it.each<[string, Record<string, string>]>([
		['no number', { 'x-ratelimit-remaining': 'many' }],
		['below zero', { 'x-ratelimit-remaining': '-5' }],
		['several', { 'x-ratelimit-remaining': '9, 9' }],
		['more left than there are', { 'x-ratelimit-remaining': '11' }],
		['a window of more than a day', { 'x-ratelimit-reset': `${DAY + 1}` }],
		['no end of the window', { 'x-ratelimit-reset': '' }],
		['no limit', { 'x-ratelimit-limit': 'none' }],
	])('with headers that cannot be (%s) says nothing', (_, broken) => {
		expect(answer(200, { ...HEADERS, ...broken })).toBe('unanswered');
	});
});
