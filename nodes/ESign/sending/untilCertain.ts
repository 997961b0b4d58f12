import { client } from '../client';
import type { Item } from '../operation/parameters';
import type { OpenRequest } from './known/kept';

/**
 * Waits until nothing can come of a request any longer. One of which it is unknown when its answer
 * was lost may be under way just now: it may have waited for the rate limit before it was sent.
 *
 * @param request left out: of one that another process may be about to lose
 * @returns since when that is so, by the client's clock
 */
export async function untilCertain(
	{ context, index }: Item,
	{ lostAt }: Pick<OpenRequest, 'lostAt'> = {},
): Promise<number> {
	const { requestTimeoutMs, lateEffectMs } = client.settings;
	const now = client.now();
	const answerLostAt = lostAt ? now - client.elapsedSince(lostAt) : now + requestTimeoutMs;
	const certainAt = answerLostAt + lateEffectMs;
	await client.waitUntilCertain(context, certainAt, index);
	return certainAt;
}
