import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../../nodes/ESign/client';

/** What passes at most between two looks at the clock, in milliseconds. */
const LONGEST_STEP_MS = 20;

const TURNS = 5;

/**
 * The computer's clock, put forward by every sleep instead of waiting for it. The sandbox can go by
 * the same clock. Where the machine stands still for seconds, this clock does so too: what a test
 * counts in seconds are those that it has slept.
 */
export class JumpClock implements Clock {
	private time = Date.now();
	private seen = this.time;
	private alarms: Array<{ at: number; work: () => Promise<void> }> = [];
	private jumps: Promise<void> = Promise.resolve();

	now(): number {
		const real = Date.now();
		this.time += Math.min(Math.max(real - this.seen, 0), LONGEST_STEP_MS);
		this.seen = real;
		return this.time;
	}

	async sleep(milliseconds: number): Promise<void> {
		this.jumps = this.jumps.then(async () => await this.jump(Math.max(0, Math.ceil(milliseconds))));
		await this.jumps;
		// Meanwhile others have written to n8n's memory what they were about to.
		for (let turn = 0; turn < TURNS; turn++) await nextTurn();
	}

	/**
	 * Does something at that time. A sleep that would pass the time stops there until it is done, and
	 * so does everybody's: what happens at a time is over before anybody can see a later one. The
	 * work must not sleep.
	 */
	at(at: number, work: () => Promise<void>): void {
		this.alarms.push({ at, work });
		this.alarms.sort((one, other) => one.at - other.at);
	}

	private async jump(milliseconds: number): Promise<void> {
		let left = milliseconds;
		for (let next = this.alarms[0]; next && next.at <= this.now() + left; next = this.alarms[0]) {
			this.alarms.shift();
			const ahead = Math.max(0, next.at - this.now());
			this.time += ahead;
			left -= ahead;
			await next.work();
		}
		this.time += Math.max(0, left);
	}
}
