import type { Clock } from '../../../nodes/ESign/transport';

/** The computer's clock, put forward by every sleep instead of waiting for it. The sandbox can go by the same clock. */
export class JumpClock implements Clock {
	private skew = 0;

	now(): number {
		return Date.now() + this.skew;
	}

	async sleep(milliseconds: number): Promise<void> {
		this.skew += Math.max(0, Math.ceil(milliseconds));
		await new Promise((resolve) => setImmediate(resolve));
	}
}
