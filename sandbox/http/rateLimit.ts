import type { Timeline } from '../state/clock';

export interface RateRules {
	/** Requests per window and key; 0 for no limit. */
	limit: number;
	windowSeconds: number;
}

interface Window {
	endsAt: number;
	used: number;
}

/**
 * What a request finds: whether it is over the limit, and the numbers for its headers
 * (docs/service.md section 8).
 */
export interface Allowance {
	exceeded: boolean;
	limit: number;
	remaining: number;
	/** Seconds left in the window, counting down to zero. */
	reset: number;
}

/** Fixed windows per key; a window begins with the first request after the one before has ended. */
export class RateLimiter {
	private windows = new Map<string, Window>();

	constructor(
		readonly rules: RateRules,
		private readonly timeline: Timeline,
	) {}

	/** Counts one request; undefined when no limit is in force. */
	count(key: string): Allowance | undefined {
		const { limit, windowSeconds } = this.rules;
		if (limit === 0) return undefined;
		const now = this.timeline.now();
		let window = this.windows.get(key);
		if (!window || window.endsAt <= now) {
			window = { endsAt: now + windowSeconds * 1_000, used: 0 };
			this.windows.set(key, window);
		}
		const exceeded = window.used >= limit;
		if (!exceeded) window.used += 1;
		return {
			exceeded,
			limit,
			remaining: limit - window.used,
			reset: Math.ceil((window.endsAt - now) / 1_000),
		};
	}

	clear(): void {
		this.windows = new Map();
	}
}
