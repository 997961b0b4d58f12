import { setTimeout as pause } from 'node:timers/promises';

const EVERY_MS = 3_000;
const PATIENCE_MS = 180_000;

/**
 * Asks until it works, so seldom that it does not itself use up the rate limit that it may be
 * waiting for.
 */
export async function calmly<T>(what: string, ask: () => Promise<T>): Promise<T> {
	for (const deadline = Date.now() + PATIENCE_MS; ;) {
		try {
			return await ask();
		} catch (cause) {
			if (Date.now() > deadline)
				throw new Error(`Waited ${PATIENCE_MS / 1000} s for ${what}`, { cause });
		}
		await pause(EVERY_MS);
	}
}
