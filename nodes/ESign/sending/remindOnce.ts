import { randomUUID } from 'crypto';
import { asThrown, client, fingerprint, leavesOpen, runOf, type Words } from '../client';
import type { Item } from '../operation/parameters';
import { keptOf, openRequests, type OpenRequest } from './kept';
import { isRetry } from './line';
import { NodeMemory } from './nodeMemory';

const IN_DOUBT: Words = (ids) =>
	`The answer to a reminder was lost, and it is not repeated, because a person could get it twice: ${ids.join(', ')}.`;

/** What came of a reminder. */
export type Reminder = { reminded: number } | { reminded: null; in_doubt: true };

/**
 * Sends a reminder. One whose answer was lost is never repeated: in a retry, and in the next round
 * of a loop, it is returned as in doubt, and what comes after it continues.
 *
 * @param asked the document and the recipient
 * @throws NodeApiError, in doubt where the answer was lost just now
 */
export async function remindOnce(
	item: Item,
	asked: { documentId: string; recipientId?: string },
	send: () => Promise<{ reminded: number }>,
): Promise<Reminder> {
	const { context } = item;
	const kept = keptOf(context);
	const memory = new NodeMemory(context);
	const about = {
		item: item.id,
		asked: fingerprint(['remind', asked.documentId, asked.recipientId]),
	};
	// Another execution may remind the same people again.
	const left = kept.open.find((one) => one.item === about.item || one.asked === about.asked);
	if (left) return inDoubt(left);

	const [isBegun = false] = await memory.record(about.item).catch(() => []);
	if (isBegun && isRetry(context)) return inDoubt();

	const request = { ...about, key: randomUUID(), likeness: { emails: [] }, keptAt: client.now() };
	kept.open.push({ ...request, sentAt: client.moment() });
	try {
		const answer = await send();
		openRequests.drop(kept, request);
		return answer;
	} catch (error) {
		if (!leavesOpen(error)) {
			openRequests.drop(kept, request);
			await memory.forget(about.item).catch(() => undefined);
		}
		throw asThrown(error);
	}

	function inDoubt(request?: OpenRequest): Reminder {
		if (request) openRequests.drop(kept, request);
		runOf(context).hintAt(IN_DOUBT, asked.documentId);
		return { reminded: null, in_doubt: true };
	}
}
