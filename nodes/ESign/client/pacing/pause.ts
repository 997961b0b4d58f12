import type { Clock } from '../settings';

/** No timer of Node.js takes longer. */
const LONGEST_SLEEP_MS = 2_147_483_647;

/** The execution was cancelled, or timed out, while something waited. */
export class Cancelled extends Error {
	/** A request was under way, or its outcome is not known. */
	mayHaveHappened = false;

	constructor() {
		super('The execution was cancelled');
	}
}

/** Lets the time pass. Ends at once, and without an error, when the signal fires. */
export async function pause(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
	const until = clock.now() + milliseconds;
	for (let left = milliseconds; left > 0 && !signal?.aborted; left = until - clock.now()) {
		await clock.sleep(Math.min(left, LONGEST_SLEEP_MS), signal);
	}
}

/** Lets the time pass. @throws Cancelled as soon as the signal has fired */
export async function wait(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
	await pause(clock, milliseconds, signal);
	throwIfCancelled(signal);
}

/** @throws Cancelled once the signal has fired */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
	if (signal?.aborted) throw new Cancelled();
}
