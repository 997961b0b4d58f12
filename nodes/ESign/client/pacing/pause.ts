/** The execution was cancelled, or timed out, while something waited. */
export class Cancelled extends Error {
	/** @param mayHaveHappened a request was under way, or its outcome is not known */
	constructor(public mayHaveHappened = false) {
		super('The execution was cancelled');
	}
}

/**
 * What the work gives. A signal that is fired for each call costs as much as the call.
 *
 * @throws what `failure` makes, as soon as the signal fires, or where it has fired before
 */
export async function unlessFired<T>(
	signal: AbortSignal | undefined,
	work: Promise<T>,
	failure: () => Error = () => new Cancelled(),
): Promise<T> {
	if (signal?.aborted) throw failure();
	let fail = () => {};
	const fired = new Promise<never>((_, reject) => {
		fail = () => reject(failure());
	});
	signal?.addEventListener('abort', fail);
	return await Promise.race([work, fired]).finally(() => {
		signal?.removeEventListener('abort', fail);
	});
}
