import type { IN8nHttpFullResponse } from 'n8n-workflow';
import type { Answer } from './pacer';

/** No rate window is longer: what says so is no reading of one. */
const LONGEST_WINDOW_S = 86_400;

const RATE_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const;

/**
 * What a response said about the limit. A proxy may answer without the headers, or with some that
 * cannot be: those do not count.
 */
export function answerOf(
	response: IN8nHttpFullResponse,
	sentAt: number,
	receivedAt: number,
): Answer {
	const { headers, statusCode } = response;
	const [limit, remaining, reset] = RATE_HEADERS.map((name) => numberIn(headers, name));
	if (statusCode === 429) {
		// Nobody waits for so long: the call is given up, and the next one asks again after a day.
		const seconds = Math.min(numberIn(headers, 'retry-after') ?? reset ?? 1, LONGEST_WINDOW_S);
		const left = { remaining: 0, resetSeconds: seconds, retryAfterSeconds: seconds };
		return { limit: limit ?? NaN, ...left, sentAt, receivedAt };
	}
	if (RATE_HEADERS.every((name) => headers[name] === undefined))
		return statusCode < 300 ? 'no limit' : 'unanswered';
	const isWhole = limit !== undefined && remaining !== undefined && reset !== undefined;
	if (!isWhole || remaining > limit || reset > LONGEST_WINDOW_S) return 'unanswered';
	return { limit, remaining, resetSeconds: reset, sentAt, receivedAt };
}

export function numberIn(
	headers: IN8nHttpFullResponse['headers'],
	name: string,
): number | undefined {
	// An empty text would be 0.
	const number = Number(headers[name] || undefined);
	return Number.isFinite(number) && number >= 0 ? number : undefined;
}
