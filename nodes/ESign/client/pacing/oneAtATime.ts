import type { Clock } from '../settings';
import { Cancelled, throwIfCancelled } from './pause';

/** The turn does not come before the deadline. */
export class TurnTooLate extends Error {}

type WaitLimits = { signal?: AbortSignal; deadline?: number };

/**
 * Runs tasks of one name one after the other: two that create the very same could not tell whose
 * answer was lost.
 */
export class OneAtATime {
	/** By name, when everything that runs or waits under it so far is over. */
	private readonly last = new Map<string, Promise<void>>();

	/** @throws Cancelled, TurnTooLate while it waits for its turn */
	async run<T>(name: string, clock: Clock, limits: WaitLimits, task: () => Promise<T>): Promise<T> {
		const before = this.last.get(name);
		const own = before ? turn(before, clock, limits).then(task) : task();
		// A task that is cancelled while it waits is over before the one that it waited for: the next
		// waits for both.
		const over = Promise.allSettled([before, own]).then(() => {
			if (this.last.get(name) === over) this.last.delete(name);
		});
		this.last.set(name, over);
		return await own;
	}
}

async function turn(
	before: Promise<void>,
	clock: Clock,
	{ signal, deadline = Infinity }: WaitLimits,
): Promise<void> {
	throwIfCancelled(signal);
	const over = new AbortController();
	const ended = new Promise<never>((_, reject) => {
		signal?.addEventListener('abort', () => reject(new Cancelled()), { signal: over.signal });
		if (deadline === Infinity) return;
		void clock.sleep(deadline - clock.now(), over.signal).then(() => reject(new TurnTooLate()));
	});
	await Promise.race([before, ended]).finally(() => over.abort());
}
