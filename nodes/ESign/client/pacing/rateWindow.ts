/** What one response said about the limit of its key, in the words of docs/service.md section 8. */
export type RateReading = {
	limit: number;
	remaining: number;
	/** Whole seconds left in the current window; which way the service rounds is not shown. */
	resetSeconds: number;
	/** Local times, in milliseconds, between which the service took the reading. */
	sentAt: number;
	receivedAt: number;
	/** Set on a 429: how many seconds to stay away. */
	retryAfterSeconds?: number;
};

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

	read(reading: RateReading): void {
		this.unlimited = false;
		if (Number.isFinite(reading.limit)) this.limit = reading.limit;
		if (reading.retryAfterSeconds !== undefined)
			return this.readRefusal(reading, reading.retryAfterSeconds);
		const { window } = this;
		const { remaining, resetSeconds, sentAt, receivedAt } = reading;
		const earliestEnd = sentAt + resetSeconds * 1000 - ROUNDING_MS;
		const latestEnd = receivedAt + resetSeconds * 1000 + ROUNDING_MS;
		const isNew =
			!window ||
			Math.max(sentAt, earliestEnd) >= window.endsAt ||
			(sentAt >= window.readAt && remaining > window.remaining);
		if (isNew) {
			const isOurs = remaining === reading.limit - 1;
			const endsAt = isOurs ? receivedAt + resetSeconds * 1000 + this.allowanceMs : latestEnd;
			this.window = { remaining, endsAt, earliestEnd, readAt: receivedAt };
			return;
		}
		// An answer that was long under way still speaks of the window before.
		if (latestEnd < window.earliestEnd) return;
		window.remaining = Math.min(window.remaining, remaining);
		window.earliestEnd = Math.max(window.earliestEnd, earliestEnd);
		window.readAt = receivedAt;
	}

	private readRefusal({ sentAt, receivedAt }: RateReading, retryAfterSeconds: number): void {
		// The window should have been over, and has not quite ended.
		const isStillTheOldWindow = sentAt >= this.endsAt && retryAfterSeconds <= 1;
		if (this.window && isStillTheOldWindow) this.allowanceMs = ROUNDING_MS;
		// No time left, and refused all the same: these seconds are rounded down too.
		const roundedMs = retryAfterSeconds === 0 ? ROUNDING_MS : this.allowanceMs;
		const endsAt = receivedAt + retryAfterSeconds * 1000 + roundedMs;
		const earliestEnd = sentAt + retryAfterSeconds * 1000 - ROUNDING_MS;
		this.window = { remaining: 0, endsAt, earliestEnd, readAt: receivedAt };
	}
}
