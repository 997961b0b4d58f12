import { closeSync, openSync, readSync } from 'node:fs';

/** Of the main thread: nanoseconds of CPU time come first. */
const STATISTICS = `/proc/self/task/${process.pid}/schedstat`;

/**
 * How long work holds the event loop at the longest, in milliseconds of CPU time of the main thread
 * (Linux): what other processes do on the machine, and other threads of this one, does not count.
 */
export async function longestHold(work: () => Promise<unknown>): Promise<number> {
	const file = openSync(STATISTICS, 'r');
	const now = () => cpuMs(file);
	let longest = 0;
	let isDone = false;
	let last = now();
	const look = () => {
		longest = Math.max(longest, now() - last);
		last = now();
		if (!isDone) setImmediate(look);
	};
	setImmediate(look);
	await work();
	isDone = true;
	look();
	closeSync(file);
	return longest;
}

const bytes = Buffer.alloc(64);
const nobody = new Int32Array(new SharedArrayBuffer(4));

function cpuMs(file: number): number {
	// The kernel counts when a thread gives way: so it does, for a microsecond.
	Atomics.wait(nobody, 0, 0, 0.001);
	const length = readSync(file, bytes, 0, bytes.length, 0);
	return parseInt(bytes.toString('latin1', 0, length), 10) / 1e6;
}
