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

/**
 * Runs tasks of one name one after the other: two that create the same could not tell whose
 * answer was lost.
 */
export class OneAtATime {
	/** By name, when everything that runs or waits under it so far is over. */
	private readonly last = new Map<string, Promise<void>>();

	/** @throws Cancelled if the signal fires while it waits for its turn */
	async run<T>(name: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
		const before = this.last.get(name);
		const own = before ? unlessFired(signal, before).then(task) : task();
		// A task that is cancelled while it waits is over before the one that it waited for: the next
		// waits for both.
		const over = Promise.allSettled([before, own]).then(() => {
			if (this.last.get(name) === over) this.last.delete(name);
		});
		this.last.set(name, over);
		return await own;
	}
}
