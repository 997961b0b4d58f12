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
	/** Requests that no answer came to: each may have taken one of `remaining`. */
	doubtful: number;
	doubtfulSince: number;
	/** From this moment on the window is taken to be over. */
	endsAt: number;
	/** It cannot end before this moment, however the service rounds. */
	earliestEnd: number;
	/** Our own request opened it, so its first reading is its whole length. */
	opened: { resetSeconds: number } | undefined;
	readAt: number;
};

export type Verdict =
	/** Nothing known forbids a request. `alone` means that what it will meet is unknown: it goes as a probe. */
	| { go: true; alone: boolean }
	/** The window is spent for so many milliseconds more. */
	| { go: false; waitMs: number };

/** What whole seconds can leave out. */
const ROUNDING_MS = 1000;

/** Grows with every refusal in a row, for a key that others spend faster than we come back. */
const REFUSAL_MS = 250;
const LONGEST_REFUSAL_MS = 10_000;

/**
 * What the headers have told about one key's window, and what follows for the next request.
 *
 * `x-ratelimit-reset` is whole seconds, so one reading leaves the end of the window open by a second or two. Where a
 * request of ours opened the window (`remaining` is one below `limit`), its reading is the window's whole length, and
 * the window ends that long after it, whichever way the service rounds. A window that somebody else opened is taken to
 * end as late as its readings allow. Should a service whose windows do not start with a request round down, the first
 * refusal shows it, and from then on every window is given one second more.
 */
export class RateWindow {
	/** Undefined until the first reading: requests go one at a time until then. */
	private window: Window | undefined;

	private unlimited = false;

	private allowanceMs = 0;

	private refusalsInARow = 0;

	limit: number | undefined;

	/** When the last window that was read ends; long past for an idle key. */
	get endsAt(): number {
		return this.window?.endsAt ?? 0;
	}

	/** May a request go now, with so many requests sent and not answered yet? */
	verdict(now: number, unanswered: number): Verdict {
		if (this.unlimited) return { go: true, alone: false };
		const { window } = this;
		if (!window || now >= window.endsAt) return { go: true, alone: true };
		if (window.remaining - window.doubtful > unanswered) return { go: true, alone: false };
		return { go: false, waitMs: window.endsAt - now };
	}

	/** A response without rate limit headers: no limit is in force, unless a window that was named has not ended yet. */
	readNoLimit(now: number): void {
		if (this.window && now < this.window.endsAt) return this.readNothing(now);
		this.unlimited = true;
		this.window = undefined;
		this.refusalsInARow = 0;
	}

	/** A request that no answer came to, or one that says nothing of the limit: it may have been counted. */
	readNothing(now: number): void {
		if (!this.window) return;
		this.window.doubtful += 1;
		this.window.doubtfulSince = now;
	}

	read(reading: RateReading): void {
		this.unlimited = false;
		if (Number.isFinite(reading.limit)) this.limit = reading.limit;
		if (reading.retryAfterSeconds !== undefined) return this.readRefusal(reading, reading.retryAfterSeconds);
		this.refusalsInARow = 0;

		const { window } = this;
		const earliestEnd = reading.sentAt + reading.resetSeconds * 1000 - ROUNDING_MS;
		const latestEnd = reading.receivedAt + reading.resetSeconds * 1000 + ROUNDING_MS;
		const isNew =
			!window ||
			reading.sentAt >= window.endsAt ||
			earliestEnd >= window.endsAt ||
			(reading.sentAt >= window.readAt && reading.remaining > window.remaining);
		if (isNew) {
			const opened = reading.remaining === reading.limit - 1 ? { resetSeconds: reading.resetSeconds } : undefined;
			this.window = {
				remaining: reading.remaining,
				doubtful: 0,
				doubtfulSince: 0,
				endsAt: opened ? reading.receivedAt + reading.resetSeconds * 1000 + this.allowanceMs : latestEnd,
				earliestEnd,
				opened,
				readAt: reading.receivedAt,
			};
			return;
		}
		// An answer that was long under way still speaks of the window before.
		if (latestEnd < window.earliestEnd) return;
		window.remaining = Math.min(window.remaining, reading.remaining);
		window.earliestEnd = Math.max(window.earliestEnd, earliestEnd);
		if (!window.opened) window.endsAt = Math.min(window.endsAt, latestEnd);
		window.readAt = reading.receivedAt;
		if (reading.sentAt >= window.doubtfulSince) window.doubtful = 0;
	}

	private readRefusal({ sentAt, receivedAt, resetSeconds }: RateReading, retryAfterSeconds: number): void {
		const { window } = this;
		const isItsTail = resetSeconds === 0 || (resetSeconds === 1 && (window?.opened?.resetSeconds ?? 0) > 1);
		const stillTheOldWindow = window?.opened !== undefined && sentAt >= window.endsAt && isItsTail;
		if (stillTheOldWindow) this.allowanceMs = ROUNDING_MS;
		// No time left, and refused all the same: these seconds are rounded down too.
		const isRoundedDown = stillTheOldWindow || retryAfterSeconds === 0;
		const grace = this.refusalsInARow === 0 ? 0 : Math.min(REFUSAL_MS * 2 ** this.refusalsInARow, LONGEST_REFUSAL_MS);
		this.window = {
			remaining: 0,
			doubtful: 0,
			doubtfulSince: 0,
			endsAt: receivedAt + retryAfterSeconds * 1000 + (isRoundedDown ? ROUNDING_MS : grace),
			earliestEnd: sentAt + (retryAfterSeconds - 1) * 1000,
			opened: undefined,
			readAt: receivedAt,
		};
		this.refusalsInARow += 1;
	}
}
