import type { Clock } from '../../../nodes/ESign/transport';

/** What a turn is worth. Some of them make a request of this process to itself; a timeout of seconds is long for it. */
const TURN_MS = 40;

/**
 * A clock that stands still until a test lets it run, and then runs fast: it goes by the turns of the event loop, each a
 * millisecond long or as much longer as a busy machine makes it. A machine that stands still for a second therefore costs
 * one turn, and no timeout. What waits by it wakes while it runs, so that nothing happens in the background of a test that
 * did not ask for it.
 */
export class TestClock implements Clock {
	private read = Date.now();

	private runners = 0;

	private isTurning = false;

	now(): number {
		return this.read;
	}

	async sleep(milliseconds: number): Promise<void> {
		const due = this.now() + milliseconds;
		do await aTurn();
		while (this.now() < due);
	}

	/** Lets time pass until the work is done. */
	async during<T>(work: Promise<T>): Promise<T> {
		this.runners++;
		void this.turn();
		try {
			return await work;
		} finally {
			this.runners--;
		}
	}

	/** Lets so much time pass, in milliseconds. */
	async pass(milliseconds: number): Promise<void> {
		await this.during(this.sleep(milliseconds));
	}

	private async turn(): Promise<void> {
		if (this.isTurning) return;
		this.isTurning = true;
		while (this.runners > 0) {
			await aTurn();
			if (this.runners > 0) this.read += TURN_MS;
		}
		this.isTurning = false;
	}
}

async function aTurn(): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, 1).unref());
}
