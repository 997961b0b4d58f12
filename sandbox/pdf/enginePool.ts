import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type * as Engine from './engine';
import { Turns } from './turns';

type Work = typeof Engine;

/** What a thread answers to a piece of work. */
type Answer = { result: unknown } | { error: Error };

/**
 * Real files need a tenth of it; a file made to be slow must not hold a thread for ever. A test
 * changes it for its file.
 */
export const patience = { ms: 30_000 };
/**
 * Loading the libraries and fonts takes a second, so threads are kept between files, but not when
 * nobody works.
 */
const IDLE = 10_000;
/**
 * A small file can be made to fill gigabytes: its thread runs out of memory before the service
 * does.
 */
const MEMORY = { maxOldGenerationSizeMb: 2048 };

const THREADS = Math.max(2, Math.min(4, availableParallelism()));

/** A piece of work took too long or too much memory. */
export class EngineGaveUp extends Error {
	constructor(work: string, options: ErrorOptions) {
		super(`${work} took too long or too much memory`, options);
		this.name = 'EngineGaveUp';
	}
}

const turns = new Turns(THREADS);

/** Threads that wait for work, at most one for each turn, with the timer that ends each. */
const idle: Array<{ thread: Worker; end: NodeJS.Timeout }> = [];

/**
 * Has a thread do a piece of work on a PDF. Reading and drawing take up to seconds in which the
 * service would answer nobody, and only a thread can be ended in the middle of it.
 *
 * @throws what the work throws, as a plain Error, or EngineGaveUp
 */
export async function inThread<Name extends keyof Work>(
	name: Name,
	input: Parameters<Work[Name]>[0],
): Promise<Awaited<ReturnType<Work[Name]>>> {
	const answer = await turns.take(async () => await ask(takeThread(), name, input));
	if ('error' in answer) throw answer.error;
	return answer.result as Awaited<ReturnType<Work[Name]>>;
}

async function ask(thread: Worker, name: keyof Work, input: unknown): Promise<Answer> {
	try {
		// Only from now on: whoever waits for a thread must not pay for the file that holds it.
		const answered = once(thread, 'message', { signal: AbortSignal.timeout(patience.ms) });
		thread.postMessage({ name, input });
		const [answer] = (await answered) as [Answer];
		keepThread(thread);
		return answer;
	} catch (error) {
		await thread.terminate();
		throw isExhaustion(error) ? new EngineGaveUp(name, { cause: error }) : error;
	}
}

/** A thread that waits for work, or a new one: most of what the service is asked for needs none. */
function takeThread(): Worker {
	const waiting = idle.pop();
	if (!waiting) {
		return new Worker(join(__dirname, 'engineWorker.cjs'), {
			resourceLimits: MEMORY,
			execArgv: [],
			// What a document looks like must not depend on the fonts of the machine.
			env: { ...process.env, DISABLE_SYSTEM_FONTS_LOAD: '1' },
		});
	}
	clearTimeout(waiting.end);
	waiting.thread.ref();
	return waiting.thread;
}

function keepThread(thread: Worker): void {
	const end = setTimeout(() => {
		idle.splice(
			idle.findIndex((waiting) => waiting.thread === thread),
			1,
		);
		void thread.terminate();
	}, IDLE);
	// Neither keeps the process running.
	end.unref();
	thread.unref();
	idle.push({ thread, end });
}

function isExhaustion(error: unknown): boolean {
	const { name, code } = error as { name?: string; code?: string };
	return name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY';
}
