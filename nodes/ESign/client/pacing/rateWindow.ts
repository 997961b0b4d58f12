import type { IN8nHttpFullResponse } from 'n8n-workflow';

/** What one response said about the limit of its key, in the words of docs/service.md section 8. */
export type RateReading = {
	limit: number;
	remaining: number;
	/** Whole seconds left in the current window; which way the service rounds is not shown. */
	resetSeconds: number;
	/** Local times, in milliseconds, between which the service took the reading. */
	sentAt: number;
	receivedAt: number;
	/** On a 429: `resetSeconds` are those to stay away. */
	isRefusal?: boolean;
};

/** What an answer said about the limit; `unanswered` if no answer came. */
export type Answer = RateReading | 'no limit' | 'unanswered';

/** No rate window is longer: what says so is no reading of one. */
const LONGEST_WINDOW_S = 86_400;

const RATE_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const;

type Window = {
	remaining: number;
	/** From this moment on the window is taken to be over. */
	endsAt: number;
	/** It cannot end before this moment, however the service rounds. */
	earliestEnd: number;
	readAt: number;
};

/**
 * For how many milliseconds the window is spent. `alone`: what a request will meet is unknown, and
 * it goes as a probe.
 */
export type Verdict = { waitMs: number; alone: boolean };

/** What whole seconds can leave out. */
const ROUNDING_MS = 1000;

/**
 * What the headers have told about one key's window, and what follows for the next request.
 *
 * `x-ratelimit-reset` is whole seconds. Of a window that we opened (`remaining` is one below
 * `limit`) it is the whole length, however the service rounds; one that somebody else opened may
 * last a second longer than its first reading says. If a refusal shows that the service rounds
 * down, every window is given one second more.
 */
export class RateWindow {
	/** Undefined until the first reading: requests go one at a time until then. */
	private window: Window | undefined;
	private unlimited = false;
	private allowanceMs = 0;
	/** As the service last named it, in requests per window. */
	limit: number | undefined;

	/** When the last window that was read ends; long past for an idle key. */
	get endsAt(): number {
		return this.window?.endsAt ?? 0;
	}

	/** May a request go now, with so many requests sent and not answered yet? */
	verdict(now: number, unanswered: number): Verdict {
		const { window } = this;
		const alone = !this.unlimited && now >= this.endsAt;
		const isSpent = !alone && window !== undefined && window.remaining <= unanswered;
		return { waitMs: isSpent ? window.endsAt - now : 0, alone };
	}

	/**
	 * A response without rate limit headers: no limit is in force, unless a window that was named has
	 * not ended yet.
	 */
	readNoLimit(now: number): void {
		if (this.window && now < this.window.endsAt) return this.readNothing();
		this.unlimited = true;
		this.window = undefined;
	}

	/** A request that no answer came to, or one that says nothing: it may have been counted. */
	readNothing(): void {
		if (this.window) this.window.remaining -= 1;
	}

	read({ limit, remaining, resetSeconds, sentAt, receivedAt, isRefusal }: RateReading): void {
		const { window } = this;
		const endsAt = receivedAt + resetSeconds * 1000;
		const earliestEnd = sentAt + resetSeconds * 1000 - ROUNDING_MS;
		this.unlimited = false;
		if (Number.isFinite(limit)) this.limit = limit;
		// The window should have been over, and has not quite ended.
		if (window && isRefusal && sentAt >= window.endsAt && resetSeconds <= 1)
			this.allowanceMs = ROUNDING_MS;

		const isNew =
			!window ||
			isRefusal ||
			Math.max(sentAt, earliestEnd) >= window.endsAt ||
			(sentAt >= window.readAt && remaining > window.remaining);
		if (isNew) {
			// No time left, and refused all the same: these seconds are rounded down too.
			const isExact = isRefusal ? resetSeconds > 0 : remaining === limit - 1;
			const roundedMs = isExact ? this.allowanceMs : ROUNDING_MS;
			this.window = { remaining, endsAt: endsAt + roundedMs, earliestEnd, readAt: receivedAt };
			return;
		}
		// An answer that was long under way still speaks of the window before.
		if (endsAt + ROUNDING_MS < window.earliestEnd) return;
		window.remaining = Math.min(window.remaining, remaining);
		window.earliestEnd = Math.max(window.earliestEnd, earliestEnd);
		window.readAt = receivedAt;
	}
}

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
		const left = { remaining: 0, resetSeconds: seconds, isRefusal: true };
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
