import { sleep } from 'n8n-workflow';

/** Milliseconds since some fixed moment, and a way to let them pass. */
export type Clock = { now(): number; sleep(milliseconds: number): Promise<void> };

/** What a test may replace, and what decides how long the transport keeps trying. Durations in milliseconds. */
export type TransportSettings = {
	clock: Clock;
	/** Jitter of the backoff, 0 to 1. */
	random: () => number;
	requestTimeoutMs: number;
	/** For uploads and downloads of up to 25 MB. */
	transferTimeoutMs: number;
	/** How often one call is sent at most while it meets 5xx, timeouts and broken connections. */
	attempts: number;
	/** The first pause of the exponential backoff; each further one is twice as long, up to the longest. */
	backoffMs: number;
	longestBackoffMs: number;
	/** The pause after a timeout before looking for its effect: the service may still be at work on it. */
	settleMs: number;
	/** How long one call waits in all for a key whose limit others spend, before it gives up. */
	rateLimitPatienceMs: number;
	/** The user is told of waiting that sums up to more than this. */
	hintAfterMs: number;
};

/** The settings of the transport that the nodes use. */
export const defaultSettings: TransportSettings = {
	clock: { now: () => Date.now(), sleep },
	random: () => Math.random(),
	requestTimeoutMs: 30_000,
	transferTimeoutMs: 180_000,
	attempts: 6,
	backoffMs: 500,
	longestBackoffMs: 20_000,
	settleMs: 5_000,
	rateLimitPatienceMs: 600_000,
	hintAfterMs: 3_000,
};
