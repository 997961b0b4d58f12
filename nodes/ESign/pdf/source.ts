import { sleep } from 'n8n-workflow';

/** A page of a contract takes about 2,000 steps. One step is a character that is read, or what takes as long. */
const MOST_STEPS = 48_000_000;

/** A few milliseconds of work. */
const STEPS_BEFORE_PAUSE = 400_000;

/** In bytes, of all streams together. */
const MOST_UNPACKED = 16 * 1024 * 1024;

/** Thrown where it cannot be said for certain how many pages a file has. */
export class Unreadable extends Error {}

/** A file from `%PDF-` on, and the work that it has made. The limits are the same for a file of any size. */
export class Source {
	/** One character for each byte. */
	readonly text: string;

	private steps = 0;
	private pausedAt = 0;
	private unpacked = 0;

	constructor(readonly bytes: Buffer) {
		this.text = bytes.toString('latin1');
	}

	/** @throws Unreadable if the file takes too long */
	spend(steps: number): void {
		this.steps += steps;
		if (this.steps > MOST_STEPS) throw new Unreadable('The file takes too long to read');
	}

	/** @throws Unreadable if the streams of the file are too large */
	unpack(bytes: number): void {
		this.unpacked += bytes;
		if (this.unpacked > MOST_UNPACKED) throw new Unreadable('The file unpacks to too much');
		this.spend(bytes);
	}

	/** Lets everything else run, if it has waited for a few milliseconds. */
	async pause(): Promise<void> {
		if (this.steps - this.pausedAt < STEPS_BEFORE_PAUSE) return;
		this.pausedAt = this.steps;
		await sleep(0);
	}
}
