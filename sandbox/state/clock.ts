/** Where the sandbox reads the time: the computer's clock, or one that a test holds still. */
export interface Clock {
	/** Milliseconds since the epoch. */
	now(): number;
}

export interface Timer {
	readonly due: number;
	cancel(): void;
}

type Action = () => void | Promise<void>;

interface Entry {
	due: number;
	order: number;
	action: Action;
}

/**
 * setTimeout cannot wait longer than this many milliseconds (about 24.8 days); longer waits are
 * taken in slices.
 */
const LONGEST_WAIT = 2 ** 31 - 1;
/**
 * How long a step of `advance` waits, in real time, for work that an action has begun, such as a
 * receiver's answer.
 */
const SETTLE_MS = 1_000;
/**
 * Waited for in slices: a computer that stands still for a second has given the work no second, and
 * loses one slice.
 */
const SETTLE_SLICE_MS = 10;

/**
 * The one clock of a sandbox, with the timers that hang on it: retries, timeouts, expiries.
 * `advance` moves it forward and fires, in order, whatever falls due on the way; otherwise it runs
 * with its source.
 */
export class Timeline {
	private offset = 0;
	private order = 0;
	private queue: Entry[] = [];
	private wake: NodeJS.Timeout | undefined;
	private readonly work = new Set<Promise<unknown>>();
	private advancing: Promise<void> = Promise.resolve();
	private closed = false;

	constructor(private readonly source: Clock = { now: () => Date.now() }) {}

	now(): number {
		return this.source.now() + this.offset;
	}

	date(): Date {
		return new Date(this.now());
	}

	/**
	 * The source's own time, without what `advance` added: what the world outside the sandbox lives
	 * by.
	 */
	outsideNow(): number {
		return this.source.now();
	}

	/** Calls `action` once the clock reads `due` (milliseconds since the epoch). */
	at(due: number, action: Action): Timer {
		const entry: Entry = { due, order: this.order++, action };
		this.queue.splice(this.position(entry), 0, entry);
		this.arm();
		return { due, cancel: () => this.remove(entry) };
	}

	after(milliseconds: number, action: Action): Timer {
		return this.at(this.now() + milliseconds, action);
	}

	/** Registers work in progress that `advance` waits for, within reason, before it moves on. */
	track<T>(work: Promise<T>): Promise<T> {
		this.work.add(work);
		const done = () => this.work.delete(work);
		work.then(done, done);
		return work;
	}

	/**
	 * Moves the clock forward by whole or broken seconds; resolves when everything that fell due has
	 * happened.
	 */
	advance(seconds: number): Promise<void> {
		const step = this.advancing.then(() => this.moveTo(this.now() + seconds * 1_000));
		this.advancing = step.catch(() => undefined);
		return step;
	}

	/** Forgets every timer and goes back to the source's time. */
	reset(): void {
		this.queue = [];
		this.offset = 0;
		clearTimeout(this.wake);
	}

	close(): void {
		this.closed = true;
		this.reset();
	}

	private async moveTo(target: number): Promise<void> {
		await this.settle();
		for (let next = this.queue[0]; next && next.due <= target; next = this.queue[0]) {
			this.offset += Math.max(0, next.due - this.now());
			await this.fire(next);
			await this.settle();
		}
		this.offset += Math.max(0, target - this.now());
		this.arm();
	}

	private async settle(): Promise<void> {
		for (let left = SETTLE_MS; this.work.size > 0 && left > 0;) {
			let timer: NodeJS.Timeout | undefined;
			const slice = new Promise<number>((resolve) => {
				timer = setTimeout(() => resolve(SETTLE_SLICE_MS), SETTLE_SLICE_MS);
			});
			left -= await Promise.race([Promise.allSettled(this.work).then(() => 0), slice]);
			clearTimeout(timer);
		}
	}

	private async fire(entry: Entry): Promise<void> {
		this.remove(entry);
		await entry.action();
	}

	private arm(): void {
		clearTimeout(this.wake);
		const next = this.queue[0];
		if (!next || this.closed) return;
		const wait = Math.min(Math.max(0, next.due - this.now()), LONGEST_WAIT);
		this.wake = setTimeout(() => this.fireDue(), wait);
		this.wake.unref();
	}

	private fireDue(): void {
		for (let next = this.queue[0]; next && next.due <= this.now(); next = this.queue[0]) {
			void this.track(this.fire(next));
		}
		this.arm();
	}

	private position(entry: Entry): number {
		let low = 0;
		let high = this.queue.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			const other = this.queue[middle] as Entry;
			if (other.due < entry.due || (other.due === entry.due && other.order < entry.order))
				low = middle + 1;
			else high = middle;
		}
		return low;
	}

	private remove(entry: Entry): void {
		const index = this.position(entry);
		if (this.queue[index] === entry) this.queue.splice(index, 1);
	}
}
