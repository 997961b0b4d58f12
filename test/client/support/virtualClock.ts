import type { Clock } from '../../../nodes/ESign/client/settings';

/**
 * Time that passes only when everybody waits: hours of pacing run in milliseconds, the same way
 * every time.
 */
export class VirtualClock implements Clock {
	private time: number;
	private sleepers: Array<{ at: number; wake: () => void }> = [];

	constructor(start = 1_700_000_000_000) {
		this.time = start;
	}

	now(): number {
		return this.time;
	}

	async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
		await new Promise<void>((wake) => {
			this.sleepers.push({ at: this.time + Math.max(0, milliseconds), wake });
			signal?.addEventListener('abort', () => wake());
		});
	}

	/** Lets time pass until the work is done. */
	async run<T>(work: Promise<T>): Promise<T> {
		let done = false;
		const finished = work.finally(() => (done = true));
		finished.catch(() => undefined);
		for (;;) {
			await new Promise((resolve) => setImmediate(resolve));
			if (done) return await finished;
			this.sleepers.sort((one, other) => one.at - other.at);
			const next = this.sleepers.shift();
			if (!next) continue;
			this.time = Math.max(this.time, next.at);
			next.wake();
		}
	}
}
