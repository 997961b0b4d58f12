import { LoopTurn } from '../loopTurn';

/** The clock is read only after so many steps: far less than a millisecond of work. */
const STEPS_BETWEEN_LOOKS = 4_000;

/** A page of a contract takes about 2,000 to be counted, and 200,000 to be read. */
const MOST_STEPS = 150_000_000;

/** In bytes: more than a list of 20,000 pages takes. */
export const LONGEST_OBJECT = 256 * 1024;

/** In bytes, packed or not: to make a buffer or a text of more holds the loop for over 20 ms. */
export const LONGEST_CONTENT = 2 * 1024 * 1024;

/** Thrown where it cannot be said for certain what a file has. */
export class Unreadable extends Error {}

/** @throws Unreadable unless the condition holds */
export function ensure(condition: unknown, otherwise: string): asserts condition {
	if (!condition) throw new Unreadable(otherwise);
}

/**
 * A file from `%PDF-` on, and the work that it has made. The limits are the same for a file of any
 * size. One step is a character that is read, or what takes as long.
 */
export class Source {
	/** By the place where each begins. */
	private readonly windows = new Map<number, string>();
	private steps = 0;
	private nextLook = STEPS_BETWEEN_LOOKS;
	private readonly turn = new LoopTurn();

	constructor(readonly bytes: Buffer) {}

	/**
	 * The text from a place on, at least as far as an object may be long; one character for each
	 * byte. A file as a whole would take too long to become text.
	 */
	textFrom(at: number): string {
		const begin = at - (at % LONGEST_OBJECT);
		let window = this.windows.get(begin);
		if (window === undefined) {
			window = this.bytes.toString('latin1', begin, begin + 2 * LONGEST_OBJECT);
			this.windows.set(begin, window);
		}
		return window.slice(at - begin);
	}

	/** @throws Unreadable if the file takes too long, again and again: what is left is not read */
	spend(steps: number): void {
		this.steps += steps;
		ensure(this.steps <= MOST_STEPS, 'The file takes too long to read');
	}

	/**
	 * Lets everything else run, if it has waited for a few milliseconds. Returns what to wait for, if
	 * it is time to think of that: in some loops, each `await` would be felt.
	 */
	pause(): Promise<void> | undefined {
		if (this.steps < this.nextLook) return undefined;
		this.nextLook = this.steps + STEPS_BETWEEN_LOOKS;
		return this.turn.pause();
	}
}

/** What `read` returns, or undefined where that is unreadable. */
export async function ifReadable<T>(read: () => Promise<T>): Promise<T | undefined> {
	return await read().catch((error: unknown) => {
		if (!(error instanceof Unreadable)) throw error;
		return undefined;
	});
}
