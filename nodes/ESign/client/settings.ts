import { unlessFired } from './pacing/pause';

export type Clock = {
	/**
	 * Milliseconds that never go back and never jump, not even when the computer's clock is set:
	 * compare them with each other only.
	 */
	now(): number;
	/** Ends early, and without an error, when the signal fires. */
	sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
	/**
	 * The computer's own clock, which runs while it sleeps, and may be set; `now` where left out.
	 */
	wallClock?(): number;
};

/**
 * A moment by two clocks: `at` cannot be set back, but may stop while a computer sleeps;
 * `wallClock` is the computer's own.
 */
export type Timestamp = { at: number; wallClock: number };

export function timestampOf(clock: Clock): Timestamp {
	const at = clock.now();
	return { at, wallClock: clock.wallClock?.() ?? at };
}

/**
 * What a test may replace, and what decides how long the client keeps trying. Durations in
 * milliseconds.
 */
export const defaultSettings = {
	clock: {
		now: () => performance.timeOrigin + performance.now(),
		sleep: sleepUntil,
		wallClock: () => Date.now(),
	} as Clock,
	random: () => Math.random(),
	requestTimeoutMs: 30_000,
	/** For uploads and downloads of up to 25 MB. */
	transferTimeoutMs: 180_000,
	/** A download of which next to nothing comes for so long has broken off. */
	stallMs: 30_000,
	/** How often one call is sent at most while it meets 5xx, timeouts and broken connections. */
	attempts: 6,
	/**
	 * The first pause of the exponential backoff; each further one is twice as long, up to the
	 * longest.
	 */
	backoffMs: 500,
	longestBackoffMs: 20_000,
	/** So long after an answer was lost its effect may still come; then nothing can come of it. */
	lateEffectMs: 65_000,
	/** For the window of a key that lasts longer than this, no call waits: it gives up. */
	rateLimitPatienceMs: 600_000,
	interactivePatienceMs: 3_000,
	/** The user learns of waiting that sums up to more than this. */
	hintAfterMs: 3_000,
};

export type ClientSettings = typeof defaultSettings;

/** n8n's own `sleep` cannot be interrupted. */
async function sleepUntil(milliseconds: number, signal?: AbortSignal): Promise<void> {
	// A timer would be kept until it is over.
	if (signal?.aborted) return;

	const over = AbortSignal.timeout(Math.max(Math.ceil(milliseconds), 0));
	const passed = new Promise((resolve) => over.addEventListener('abort', resolve));
	await unlessFired(signal, passed).catch(() => undefined);
}
