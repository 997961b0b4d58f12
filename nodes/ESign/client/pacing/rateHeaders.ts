import type { IN8nHttpFullResponse } from 'n8n-workflow';
import type { Answer } from './pacer';

/** No rate window is longer: what says so is no reading of one. */
const LONGEST_WINDOW_S = 86_400;

/** Of HTTP or ISO 8601. JavaScript takes much else for a date: a number below zero is one thousands of years from now. */
const DATE = /^([A-Z][a-z]+,? |\d{4}-\d\d-\d\dT)/;

const RATE_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const;

/**
 * What a response said about the rate limit. Something between n8n and the service may answer without the headers, or with
 * some that cannot be: only the service's own answers count.
 */
export function answerOf(response: IN8nHttpFullResponse, sentAt: number, receivedAt: number): Answer {
	const { headers, statusCode } = response;
	const [limit, remaining, reset] = RATE_HEADERS.map((name) => numberIn(headers, name));
	const resetSeconds = reset !== undefined && reset <= LONGEST_WINDOW_S ? reset : undefined;
	if (statusCode === 429) {
		// Nobody waits for so long: the call is given up, and the next one asks again after a day.
		const seconds = Math.min(retryAfterSeconds(headers, receivedAt) ?? reset ?? 1, LONGEST_WINDOW_S);
		const limits = { limit: limit ?? NaN, remaining: 0, resetSeconds: resetSeconds ?? seconds };
		return { ...limits, sentAt, receivedAt, retryAfterSeconds: seconds };
	}
	if (RATE_HEADERS.every((name) => headers[name] === undefined)) return statusCode < 300 ? 'no limit' : 'unanswered';
	if (limit === undefined || remaining === undefined || resetSeconds === undefined) return 'unanswered';
	return remaining > limit ? 'unanswered' : { limit, remaining, resetSeconds, sentAt, receivedAt };
}

/** How long the service asks to wait, in seconds: `retry-after` as a number or as a date. */
export function retryAfterSeconds(headers: IN8nHttpFullResponse['headers'], receivedAt: number): number | undefined {
	const seconds = numberIn(headers, 'retry-after');
	if (seconds !== undefined) return seconds;
	const date = headers['retry-after'];
	const at = typeof date === 'string' && DATE.test(date) ? Date.parse(date) : NaN;
	if (Number.isNaN(at)) return undefined;
	// Of the same clock, if the answer tells it.
	const now = typeof headers.date === 'string' ? Date.parse(headers.date) : NaN;
	return Math.max(0, Math.ceil((at - (Number.isNaN(now) ? receivedAt : now)) / 1000));
}

function numberIn(headers: IN8nHttpFullResponse['headers'], name: string): number | undefined {
	const text = headers[name];
	if (text === undefined || text === null || text === '') return undefined;
	const number = Number(text);
	return Number.isFinite(number) && number >= 0 ? number : undefined;
}
