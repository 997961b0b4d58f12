import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Turns } from '../turns';

/** Milliseconds; the largest file that upload takes is read in a tenth of it. */
const PATIENCE = 10_000;
/** Each file has a thread of its own, and all of them together must leave the processor and the memory to others. */
const turns = new Turns(2);
/** A small archive can hold gigabytes: the thread that unpacks it runs out of memory before the service does. */
const MEMORY = { maxOldGenerationSizeMb: 512 };

/**
 * Turns a DOCX or DOC into a PDF of its text, in a thread of its own: reading and laying out a long text takes seconds
 * in which the service would answer nobody, and only a thread can be ended in the middle of it. Two files are converted
 * at a time; the patience with each begins with its turn.
 *
 * @throws when the file cannot be read, takes more than `patience` milliseconds or more memory than it may.
 */
export function convertWord(bytes: Buffer, patience = PATIENCE): Promise<Uint8Array> {
	return turns.take(() => convert(bytes, patience));
}

async function convert(bytes: Buffer, patience: number): Promise<Uint8Array> {
	const worker = new Worker(join(__dirname, 'wordWorker.cjs'), {
		workerData: bytes,
		execArgv: [],
		resourceLimits: MEMORY,
	});
	worker.unref();
	let deadline: NodeJS.Timeout | undefined;
	try {
		return await new Promise<Uint8Array>((resolve, reject) => {
			worker.once('message', resolve);
			worker.once('error', reject);
			worker.once('exit', () => reject(new Error('The text cannot be read')));
			deadline = setTimeout(() => reject(new Error('Reading the text takes too long')), patience);
		});
	} finally {
		clearTimeout(deadline);
		await worker.terminate();
	}
}
