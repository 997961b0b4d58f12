import type { Clock } from '../settings';

/** The execution was cancelled, or timed out, while something waited. */
export class Cancelled extends Error {
	/** @param mayHaveHappened a request was under way, or its outcome is not known */
	constructor(public mayHaveHappened = false) {
		super('The execution was cancelled');
	}
}

/** Lets the time pass. @throws Cancelled as soon as the signal has fired */
export async function wait(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
	await clock.sleep(milliseconds, signal);
	throwIfCancelled(signal);
}

/**
 * What the work gives. A signal that is fired for each call costs as much as the call.
 *
 * @throws what `failure` makes, as soon as the signal fires
 */
export async function unlessFired<T>(
	signal: AbortSignal | undefined,
	work: Promise<T>,
	failure: () => Error,
): Promise<T> {
	let fail = () => {};
	const fired = new Promise<never>((_, reject) => {
		fail = () => reject(failure());
	});
	signal?.addEventListener('abort', fail);
	return await Promise.race([work, fired]).finally(() => {
		signal?.removeEventListener('abort', fail);
	});
}

/** @throws Cancelled once the signal has fired */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
	if (signal?.aborted) throw new Cancelled();
}
