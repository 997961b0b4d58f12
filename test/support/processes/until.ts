import { setTimeout as pause } from 'node:timers/promises';

/**
 * Asks again and again until there is an answer.
 *
 * @param what named in the error, as in "Waited 60 s for ..."
 * @param ask returns undefined while there is nothing yet; an error it throws counts as nothing
 * yet, and is the cause of the final error
 */
export async function until<T>(
	what: string,
	ask: () => Promise<T | undefined>,
	timeoutMs = 60_000,
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	let cause: unknown;
	do {
		try {
			const answer = await ask();
			if (answer !== undefined) return answer;
		} catch (error) {
			cause = error;
		}
		await pause(100);
	} while (Date.now() < deadline);
	throw new Error(`Waited ${timeoutMs / 1000} s for ${what}`, { cause });
}
