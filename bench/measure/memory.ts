import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

const MAX_SAMPLES = 200_000;

/** How the memory of this process went while some work was done; bytes of resident set size. */
export interface MemoryTrace {
	/**
	 * Just before the work, after a garbage collection if the process was started with `--expose-gc`.
	 */
	before: number;
	peak: number;
	samples: number[];
}

/**
 * Samples this process's memory while `work` runs, from a thread of its own so that no busy stretch
 * is missed.
 */
export async function traceMemory(work: () => Promise<void>, everyMs = 2): Promise<MemoryTrace> {
	const count = new SharedArrayBuffer(4);
	const samples = new SharedArrayBuffer(8 * MAX_SAMPLES);
	const workerData = { count, samples, everyMs };
	const worker = new Worker(join(__dirname, 'memorySampler.js'), { workerData, execArgv: [] });
	await once(worker, 'online');
	try {
		// The thread's own memory belongs to the baseline.
		await pause(50);
		collectGarbage();
		await pause(50);
		const started = Atomics.load(new Int32Array(count), 0);
		const before = process.memoryUsage.rss();
		await work();
		await pause(2 * everyMs);
		const ended = Atomics.load(new Int32Array(count), 0);
		const during = [...new Float64Array(samples).slice(started, ended)];
		return {
			before,
			peak: during.reduce((peak, sample) => Math.max(peak, sample), before),
			samples: during,
		};
	} finally {
		await worker.terminate();
	}
}

/** Collects garbage where the process was started with `--expose-gc`. */
export function collectGarbage(): void {
	globalThis.gc?.();
}

/** Collects what has become garbage since a short time, which takes a millisecond or so. */
export function collectYoung(): void {
	(globalThis.gc as ((options: { type: 'minor' }) => void) | undefined)?.({ type: 'minor' });
}
