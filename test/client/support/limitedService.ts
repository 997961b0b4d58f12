import type { RateReading } from '../../../nodes/ESign/client/pacing/rateWindow';
import type { VirtualClock } from './virtualClock';

export type Rounding = 'up' | 'down' | 'nearest';

export interface LimitOptions {
	limit?: number;
	windowMs?: number;
	/** Which way `x-ratelimit-reset` is made whole. */
	rounding?: Rounding;
	/**
	 * Windows that follow one another from this time on; left out, a window starts with the first
	 * request after one.
	 */
	alignedTo?: number;
	/** Each way, in virtual milliseconds. */
	latencyMs?: () => number;
}

const round: Record<Rounding, (seconds: number) => number> = {
	up: Math.ceil,
	down: Math.floor,
	nearest: Math.round,
};

/**
 * The rate limit of docs/service.md section 8 in virtual time: what it counts, refuses and says
 * about it.
 */
export class LimitedService {
	served: number[] = [];
	refused: number[] = [];
	private endsAt = 0;
	private count = 0;

	constructor(
		private readonly clock: VirtualClock,
		private readonly options: LimitOptions,
	) {}

	/** One request, there and back. */
	async request(): Promise<{ accepted: boolean; reading: RateReading }> {
		const sentAt = this.clock.now();
		const { latencyMs = () => 2 } = this.options;
		await this.clock.sleep(latencyMs());
		const { accepted, ...said } = this.answer();
		await this.clock.sleep(latencyMs());
		return { accepted, reading: { ...said, sentAt, receivedAt: this.clock.now() } };
	}

	/** What an answer that is given now says. */
	answer() {
		const { limit = 10, windowMs = 3000, rounding = 'up', alignedTo } = this.options;
		const now = this.clock.now();
		if (now >= this.endsAt) {
			this.endsAt =
				alignedTo === undefined ? now + windowMs : now + windowMs - ((now - alignedTo) % windowMs);
			this.count = 0;
		}
		const accepted = this.count < limit;
		if (accepted) this.count += 1;
		(accepted ? this.served : this.refused).push(now);
		const resetSeconds = Math.max(0, round[rounding]((this.endsAt - now) / 1000));
		const said = { accepted, limit, remaining: limit - this.count, resetSeconds };
		return accepted ? said : { ...said, isRefusal: true };
	}
}
