import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Piscina } from 'piscina';
import type * as Engine from './engine';

type Work = typeof Engine;

/** Milliseconds. Real files need a tenth of it; a file made to be slow must not hold a thread for ever. */
const PATIENCE = 30_000;
/** Loading the libraries and fonts takes a second, so threads are kept between files, but not when nobody works. */
const IDLE = 10_000;
/** A small file can be made to fill gigabytes: its thread runs out of memory before the service does. */
const MEMORY = { maxOldGenerationSizeMb: 2048 };

let pool: Piscina | undefined;

/** Threads start with the first file, because most of what the service is asked for needs no PDF. */
function threads(): Piscina {
	pool ??= new Piscina({
		filename: join(__dirname, 'engineWorker.cjs'),
		minThreads: 0,
		maxThreads: Math.max(2, Math.min(4, availableParallelism())),
		idleTimeout: IDLE,
		resourceLimits: MEMORY,
		execArgv: [],
	});
	return pool;
}

/**
 * Has a thread do a piece of work on a PDF. Reading and drawing take up to seconds in which the service would answer
 * nobody, and only a thread can be ended in the middle of it.
 *
 * @throws what the work throws, as a plain Error, or an Error when it takes too long.
 */
export async function inThread<Name extends keyof Work>(
	name: Name,
	input: Parameters<Work[Name]>[0],
): Promise<Awaited<ReturnType<Work[Name]>>> {
	const signal = AbortSignal.timeout(PATIENCE);
	return (await threads().run(input, { name, signal })) as Awaited<ReturnType<Work[Name]>>;
}
