import type { Clock, Instant } from '../context/settings';

/** The execution was cancelled, or timed out, while something waited. */
export class Cancelled extends Error {
	/** A request was under way, or its outcome in doubt. */
	mayHaveHappened: boolean;

	/** @param sent when the request that was under way had been sent */
	constructor(readonly sent?: Instant) {
		super('The execution was cancelled');
		this.mayHaveHappened = sent !== undefined;
	}
}

/** @throws Cancelled once the signal has fired */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
	if (signal?.aborted) throw new Cancelled();
}

/** Lets the time pass. Ends at once, and without an error, when the signal fires. */
export async function pause(clock: Clock, milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
	if (milliseconds > 0 && !signal?.aborted) await clock.sleep(milliseconds, signal);
}
