import type { Clock } from '../../../nodes/ESign/transport';

/** So many times faster than the computer's clock. Requests take the time that they take: seconds are long for them. */
const SPEED = 40;

/**
 * A clock that stands still until a test lets it run, and then runs fast. What waits by it wakes while it runs, so that
 * nothing happens in the background of a test that did not ask for it.
 */
export class TestClock implements Clock {
	private read = Date.now();

	private runningSince: number | undefined;

	private runners = 0;

	now(): number {
		return this.runningSince === undefined ? this.read : this.read + (performance.now() - this.runningSince) * SPEED;
	}

	async sleep(milliseconds: number): Promise<void> {
		const due = this.now() + milliseconds;
		do await new Promise((resolve) => setTimeout(resolve, 2).unref());
		while (this.now() < due);
	}

	/** Lets time pass until the work is done. */
	async during<T>(work: Promise<T>): Promise<T> {
		if (this.runners++ === 0) this.runningSince = performance.now();
		try {
			return await work;
		} finally {
			if (--this.runners === 0) {
				this.read = this.now();
				this.runningSince = undefined;
			}
		}
	}

	/** Lets so much time pass, in milliseconds. */
	async pass(milliseconds: number): Promise<void> {
		await this.during(this.sleep(milliseconds));
	}
}
