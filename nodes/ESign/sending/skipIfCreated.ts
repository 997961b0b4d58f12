import { NodeApiError } from 'n8n-workflow';
import { asThrown, client, runOf, type Document } from '../client';
import { HOUR_MS } from './known/claim';
import {
	createdSince,
	documentsSince,
	FRESH_MS,
	momentOf,
	readIfThere,
} from './known/documentList';
import { likenessKey, likenessOf } from './known/names';
import { isOut, type Wanted } from './wanted';

/** What whole seconds leave out. */
const TOLERANCE_MS = 3_000;

/** Another worker that is at it just now is mostly through by then. */
const SOON_MS = 10_000;

/**
 * The document with the same title for the same people, if there is one (docs/architecture.md
 * section 9). Where the list as it is known has none, it is looked for in turn: who finds another
 * one at it, on another worker or killed, waits until nothing can come of that.
 *
 * @throws NodeApiError also if the service cannot be asked; then nothing is created
 */
export async function findExisting(
	wanted: Wanted,
	withinHours: number,
): Promise<Document | undefined> {
	const known = await look(wanted, withinHours, 0);
	const { turn } = wanted;
	const { context, index } = wanted.item;
	if (known || !turn) return known;

	const lookAgain = async () => await look(wanted, withinHours, client.now());
	try {
		for (;;) {
			// Where n8n cannot tell, nobody is waited for.
			const isOurs = await turn.take().catch(() => true);
			if (turn.isOurs && !turn.mayHaveCome) return undefined;
			turn.mayHaveCome = false;
			// Another worker may have made it since the list was read.
			const found = await lookAgain();
			if (found || isOurs) return found;

			await client.pause(SOON_MS, runOf(context).signal);
			const soon = await lookAgain();
			if (soon) return soon;

			await client.waitUntilCertain(context, index);
		}
	} catch (error) {
		// Nothing of this one is in doubt, also where it was stopped.
		await turn.end(false);
		throw asThrown(error);
	}
}

async function look(
	wanted: Wanted,
	withinHours: number,
	readSince: number,
): Promise<Document | undefined> {
	const { item, creation, isRetry, kept } = wanted;
	const within = client.moment().wallClock - withinHours * HOUR_MS;
	// A retry looks back to the beginning of the line at least.
	const { beganAt = within } = kept.line;
	const since = momentOf(isRetry ? Math.min(within, beganAt) : within);
	try {
		const key = likenessKey(await wanted.likeness());
		const known = await documentsSince(item, since, readSince);
		const alike = known.filter(({ document }) => likenessKey(likenessOf(document)) === key);
		const recent = await createdSince(item, alike, since, TOLERANCE_MS);
		const drafts: Document[] = [];
		for (const { document: listed, at } of recent.reverse()) {
			const isOld = at.at < readSince || client.elapsedSince(at) > FRESH_MS;
			const document = isOld ? await readIfThere(item, listed.id) : listed;
			if (document && isOut(document)) return document;
			if (document?.status === 'draft') drafts.push(document);
		}
		// One that is out counts before a draft: what is created of a draft is sent by the next node.
		return creation.send ? undefined : await wanted.memory.draftOf(drafts);
	} catch (error) {
		if (error instanceof NodeApiError) {
			const why =
				'Nothing was created or sent, because it is not known whether the document exists already.';
			error.description = [error.description, why].filter(Boolean).join(' ');
		}
		throw asThrown(error);
	}
}
