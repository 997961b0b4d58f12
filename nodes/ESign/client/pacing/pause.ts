import type { Clock } from '../settings';

/** The execution was cancelled, or timed out, while something waited. */
export class Cancelled extends Error {
	/** A request was under way, or its outcome is not known. */
	mayHaveHappened = false;

	constructor() {
		super('The execution was cancelled');
	}
}

/** Lets the time pass. Ends at once, and without an error, when the signal fires. */
export async function pause(
	clock: Clock,
	milliseconds: number,
	signal?: AbortSignal,
): Promise<void> {
	if (milliseconds > 0 && !signal?.aborted) await clock.sleep(milliseconds, signal);
}

/** Lets the time pass. @throws Cancelled as soon as the signal has fired */
export async function wait(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
	await pause(clock, milliseconds, signal);
	throwIfCancelled(signal);
}

/**
 * What the work gives; `stop` ends it when the signal fires meanwhile. A signal that is fired for
 * each call costs as much as the call.
 */
export async function endedBy<T>(
	signal: AbortSignal | undefined,
	stop: () => void,
	work: Promise<T>,
): Promise<T> {
	signal?.addEventListener('abort', stop);
	return await work.finally(() => signal?.removeEventListener('abort', stop));
}

/** What the work gives. @throws what `failure` makes, as soon as the signal fires */
export async function unlessFired<T>(
	signal: AbortSignal | undefined,
	work: Promise<T>,
	failure: () => Error,
): Promise<T> {
	let fail = () => {};
	const fired = new Promise<never>((_, reject) => {
		fail = () => reject(failure());
	});
	return await endedBy(signal, fail, Promise.race([work, fired]));
}

/** @throws Cancelled once the signal has fired */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
	if (signal?.aborted) throw new Cancelled();
}
