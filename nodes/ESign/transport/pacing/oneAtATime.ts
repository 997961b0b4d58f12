import { Cancelled, throwIfCancelled } from './waiting';

/**
 * Runs tasks of the same name one after the other. Two items that create the very same thing at the same time could
 * not tell afterwards whose answer was lost.
 */
export class OneAtATime {
	private readonly last = new Map<string, Promise<void>>();

	/** @throws Cancelled when the signal fires while it waits for its turn */
	async run<T>(name: string, signal: AbortSignal | undefined, task: () => Promise<T>): Promise<T> {
		const before = this.last.get(name);
		let release = (): void => undefined;
		const done = new Promise<void>((resolve) => (release = resolve));
		const mine = before ? before.then(async () => await done) : done;
		this.last.set(name, mine);
		try {
			if (before) await untilCancelled(before, signal);
			return await task();
		} finally {
			release();
			if (this.last.get(name) === mine) this.last.delete(name);
		}
	}
}

async function untilCancelled(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
	throwIfCancelled(signal);
	if (!signal) return await promise;
	await new Promise<void>((resolve, reject) => {
		const cancel = () => reject(new Cancelled());
		signal.addEventListener('abort', cancel);
		void promise.then(() => {
			signal.removeEventListener('abort', cancel);
			resolve();
		});
	});
}
