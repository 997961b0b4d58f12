import type { NodeExecutionHint } from 'n8n-workflow';
import { Cancelled } from '../../pacing/waiting';
import type { Session } from '../../session/session';
import type { Effect, Reconciler, Search } from './effect';

/**
 * Looks once more after a call was sent again and answered: the first request may have been carried out when nobody expected
 * it any more. Throws nothing: the call has its answer, and what was created is created.
 *
 * @param id of what the repetition has created
 */
export async function tellOfTwins(
	{ context }: Session,
	reconciler: Reconciler,
	search: Search,
	id: string,
): Promise<void> {
	const { thing } = reconciler;
	const tell = (message: string) => {
		context.logger.warn(`eSign: ${message}`);
		const hint: NodeExecutionHint = { message, type: 'warning', location: 'outputPane' };
		if ('addExecutionHints' in context) context.addExecutionHints(hint);
	};
	try {
		for (const twin of (await reconciler.find(search)).filter((found) => found.id !== id && search.isSince(found))) {
			if (!reconciler.discard) {
				tell(`${createdTwice(thing, id, twin)} Check both, and withdraw the one that is not needed.`);
				continue;
			}
			await reconciler.discard(search, twin);
			context.logger.warn(`eSign: ${createdTwice(thing, id, twin)} ${twin.id} was deleted again.`);
		}
	} catch (error) {
		// Whoever stops the execution has the answer of this call all the same.
		if (error instanceof Cancelled) return;
		tell(`A request to create the ${thing} was repeated, and whether there are two of ${id} could not be checked`);
	}
}

function createdTwice(thing: string, id: string, twin: Effect): string {
	return `Two ${thing}s were created, ${id} and ${twin.id}: the answer to the first request was lost, and it was carried out after the request had been repeated.`;
}
