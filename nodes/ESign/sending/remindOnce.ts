import { asThrown, client, fingerprint, leavesOpen, runOf, type Words } from '../client';
import type { Item } from '../operation/parameters';
import { dropOpen, entryOf, keepOpen, keptOf, sameOf, type OpenRequest } from './known/kept';
import { isRetry } from './known/line';
import { NodeMemory } from './known/nodeMemory';

const IN_DOUBT: Words = (ids) =>
	`The answer to a reminder was lost, and it is not repeated, because a person could get it twice: ${ids.join(', ')}.`;

/** What came of a reminder. */
export type Reminder = { reminded: number } | { reminded: null; in_doubt: true };

/**
 * Sends a reminder. One whose answer was lost is never repeated: in a retry, and in the next round
 * of a loop, it is returned as in doubt, and what comes after it continues.
 *
 * @param about the document and the recipient
 * @throws NodeApiError, in doubt where the answer was lost just now
 */
export async function remindOnce(
	{ id, context }: Item,
	about: { documentId: string; recipientId?: string },
	send: () => Promise<{ reminded: number }>,
): Promise<Reminder> {
	const kept = keptOf(context);
	const memory = new NodeMemory(context);
	const asked = fingerprint(['remind', about.documentId, about.recipientId]);
	const request: OpenRequest = {
		item: id,
		asked,
		likeness: { emails: [] },
		sentAt: client.moment(),
	};
	// Another execution may remind the same people again.
	const left = kept.open.find((one) => one.asked === asked);
	// It is this one: counted once.
	if (left) dropOpen(kept, left);
	const fact = entryOf(kept, request);
	const note = () => (kept.made[fact] = sameOf(request));
	// Where nobody can know, it may have been sent.
	const isLineKnown = kept.line.beganAt !== undefined;
	const [wasBegun] = await memory.record(fact).catch(() => [true]);
	if (left || (isRetry(context) && (wasBegun || !isLineKnown))) {
		note();
		runOf(context).hintAt(IN_DOUBT, about.documentId);
		return { reminded: null, in_doubt: true };
	}

	keepOpen(kept, request);
	try {
		const answer = await send();
		dropOpen(kept, request);
		note();
		return answer;
	} catch (error) {
		if (!leavesOpen(error)) {
			dropOpen(kept, request);
			await memory.forget(fact);
		}
		throw asThrown(error);
	}
}
