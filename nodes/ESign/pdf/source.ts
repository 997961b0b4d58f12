import { sleep } from 'n8n-workflow';

/**
 * A page of a contract takes about 2,000 steps. One step is a character that is read, or what takes
 * as long.
 */
const MAX_STEPS = 48_000_000;

/** A few milliseconds of work. */
const STEPS_BEFORE_PAUSE = 400_000;

/** Thrown where it cannot be said for certain how many pages a file has. */
export class Unreadable extends Error {}

/**
 * A file from `%PDF-` on, and the work that it has made. The limits are the same for a file of any
 * size.
 */
export class Source {
	/** One character for each byte. */
	readonly text: string;
	private steps = 0;
	private pausedAt = 0;

	constructor(readonly bytes: Buffer) {
		this.text = bytes.toString('latin1');
	}

	/** @throws Unreadable if the file takes too long */
	spend(steps: number): void {
		this.steps += steps;
		if (this.steps > MAX_STEPS) throw new Unreadable('The file takes too long to read');
	}

	/** Lets everything else run, if it has waited for a few milliseconds. */
	async pause(): Promise<void> {
		if (this.steps - this.pausedAt < STEPS_BEFORE_PAUSE) return;
		this.pausedAt = this.steps;
		await sleep(0);
	}
}
