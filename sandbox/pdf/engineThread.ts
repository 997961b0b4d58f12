import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type * as Engine from './engine';

type Work = typeof Engine;

/** What the thread answers to a piece of work. */
type Answer = { result: unknown } | { error: Error };

/**
 * Real files need a tenth of it; a file made to be slow must not hold the thread for ever. A test
 * changes it for its file.
 */
export const patience = { ms: 30_000 };

/** Loading the libraries and fonts takes a second, so the thread is kept between files. */
const IDLE = 10_000;

/** A small file can be made to fill gigabytes: the thread runs out of memory, not the service. */
const MEMORY = { maxOldGenerationSizeMb: 2048 };

/** A piece of work took too long or too much memory. */
export class EngineGaveUp extends Error {}

let thread: Worker | undefined;
let idle: NodeJS.Timeout | undefined;

/** Settles when all work that was asked for is done. */
let queue: Promise<unknown> = Promise.resolve();

/**
 * Has the thread do a piece of work on a PDF, after what it was asked for before. Reading and
 * drawing take up to seconds in which the service would answer nobody, and only a thread can be
 * ended in the middle of it.
 *
 * @throws what the work throws, as a plain Error, or EngineGaveUp
 */
export async function inThread<Name extends keyof Work>(
	name: Name,
	input: Parameters<Work[Name]>[0],
): Promise<Awaited<ReturnType<Work[Name]>>> {
	const asked = queue.then(() => ask(name, input));
	queue = asked.catch(() => undefined);
	const answer = await asked;
	if ('error' in answer) throw answer.error;
	return answer.result as Awaited<ReturnType<Work[Name]>>;
}

async function ask(name: keyof Work, input: unknown): Promise<Answer> {
	clearTimeout(idle);
	thread ??= startThread();
	const worker = thread;
	worker.ref();
	try {
		// Only from now on: whoever waits for a turn must not pay for the file before.
		const answered = once(worker, 'message', { signal: AbortSignal.timeout(patience.ms) });
		worker.postMessage({ name, input });
		const [answer] = (await answered) as [Answer];
		return answer;
	} catch (cause) {
		await endThread();
		throw new EngineGaveUp(`${name} took too long or too much memory`, { cause });
	} finally {
		// Neither keeps the process running.
		worker.unref();
		idle = setTimeout(() => void endThread(), IDLE).unref();
	}
}

function startThread(): Worker {
	return new Worker(join(__dirname, 'engineWorker.cjs'), {
		resourceLimits: MEMORY,
		execArgv: [],
		// What a document looks like must not depend on the fonts of the machine.
		env: { ...process.env, DISABLE_SYSTEM_FONTS_LOAD: '1' },
	});
}

async function endThread(): Promise<void> {
	const ended = thread;
	thread = undefined;
	await ended?.terminate();
}
