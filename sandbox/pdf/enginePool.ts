import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import Tinypool from 'tinypool';
import type * as Engine from './engine';
import { Turns } from './turns';

type Work = typeof Engine;

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

/**
 * One for the process: Jest loads this module anew for each test file, and would start threads for
 * each.
 */
const POOL = Symbol.for('sandbox.pdf.enginePool');
const shared = globalThis as { [POOL]?: Tinypool };

const turns = new Turns(THREADS);

/**
 * Threads start with the first file, because most of what the service is asked for needs no PDF.
 */
function threads(): Tinypool {
	return (shared[POOL] ??= new Tinypool({
		filename: join(__dirname, 'engineWorker.cjs'),
		minThreads: 0,
		maxThreads: THREADS,
		idleTimeout: IDLE,
		resourceLimits: MEMORY,
		execArgv: [],
		// What a document looks like must not depend on the fonts of the machine.
		env: { ...process.env, DISABLE_SYSTEM_FONTS_LOAD: '1' },
	}));
}

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
	return await turns.take(async (): Promise<Awaited<ReturnType<Work[Name]>>> => {
		try {
			// Only from now on: whoever waits for a thread must not pay for the file that holds it.
			const signal = AbortSignal.timeout(patience.ms);
			return (await threads().run(input, { name, signal })) as Awaited<ReturnType<Work[Name]>>;
		} catch (error) {
			throw isExhaustion(error) ? new EngineGaveUp(name, { cause: error }) : error;
		}
	});
}

function isExhaustion(error: unknown): boolean {
	const { name, code } = error as { name?: string; code?: string };
	return name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY';
}
