const { workerData } = require('node:worker_threads');

/** Writes the resident set size of the whole process into shared memory; a thread of its own, as the main one may be busy. */
const count = new Int32Array(workerData.count);
const samples = new Float64Array(workerData.samples);

setInterval(() => {
	const index = Atomics.load(count, 0);
	if (index === samples.length) return;
	samples[index] = process.memoryUsage.rss();
	Atomics.store(count, 0, index + 1);
}, workerData.everyMs);
