import type { Clock } from '../../../nodes/ESign/client';
import { isAnythingUnderWay } from './openRequests';

/**
 * What a turn is worth while a request is under way: of this process to itself, most of them. A
 * timeout of seconds is long for it.
 */
const TURN_MS = 40;

/** Turns in which nothing is under way until time jumps: between two requests a node may think. */
const QUIET_TURNS = 2;

/**
 * A clock that stands still until a test lets it run. While it runs, it jumps to the time that
 * somebody sleeps for. While a request is under way it goes by the turns of the event loop instead,
 * each a millisecond long or as much longer as a busy machine makes it: a machine that stands still
 * for a second costs one turn, and no timeout. What waits by it wakes while it runs, so that
 * nothing happens in the background of a test that did not ask for it.
 */
export class TestClock implements Clock {
	private read = Date.now();
	private runners = 0;
	private isTurning = false;
	private readonly sleepers = new Set<{ due: number; wake: () => void }>();

	now(): number {
		return this.read;
	}

	/** For the next test file, which begins now. */
	reset(): void {
		this.read = Date.now();
		this.sleepers.clear();
	}

	async sleep(milliseconds: number): Promise<void> {
		const due = this.read + milliseconds;
		await aTurn();
		if (this.read >= due) return;
		await new Promise<void>((wake) => this.sleepers.add({ due, wake }));
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
		let quiet = 0;
		while (this.runners > 0) {
			await aTurn();
			if (this.runners === 0) break;
			quiet = isAnythingUnderWay() ? 0 : quiet + 1;
			const next = Math.min(...[...this.sleepers].map(({ due }) => due));
			const jumps = quiet > QUIET_TURNS && Number.isFinite(next);
			this.read = jumps ? Math.max(next, this.read) : this.read + TURN_MS;
			this.wakeSleepers();
		}
		this.isTurning = false;
	}

	private wakeSleepers(): void {
		for (const sleeper of [...this.sleepers]) {
			if (sleeper.due > this.read) continue;
			this.sleepers.delete(sleeper);
			sleeper.wake();
		}
	}
}

async function aTurn(): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, 1).unref());
}
