import { NodeApiError } from 'n8n-workflow';
import { asThrown, client, runOf, type Document } from '../client';
import {
	createdSince,
	documentsSince,
	FRESH_MS,
	isListed,
	momentOf,
	readIfThere,
} from './known/documentList';
import { likenessKey, likenessOf } from './known/likeness';
import { isOut, type Wanted } from './wanted';

const HOUR_MS = 3_600_000;

/** What whole seconds leave out. */
const TOLERANCE_MS = 3_000;

/** Another worker that is at it just now is mostly through by then. */
const SOON_MS = 10_000;

/**
 * The document with the same title for the same people, if there is one (docs/architecture.md
 * section 9). Where the list as it is known has none, title and people stand in n8n's memory from
 * before the look until the answer: who finds them there, of another worker or of a process that
 * was killed, waits until nothing can come of that, and looks again.
 *
 * @param isLeft whether an earlier try has left something of it, and maybe its turn
 * @throws NodeApiError also if the service cannot be asked; then nothing is created
 */
export async function findExisting(
	wanted: Wanted,
	withinHours: number,
	isLeft: boolean,
): Promise<Document | undefined> {
	const { turn } = wanted;
	const { context, index } = wanted.item;
	// What the list already has needs no turn.
	const isKnown = !isLeft && (await isListed(context));
	const known = isKnown ? await look(wanted, withinHours, 0) : undefined;
	if (known) return known;

	for (;;) {
		// Where n8n cannot tell, nobody is waited for.
		const isOurs = await turn.take().catch(() => true);
		const found = await look(wanted, withinHours, turn.isLater ? client.now() : 0);
		if (found || isOurs) return found;

		await client.pause(SOON_MS, runOf(context).signal);
		const soon = await look(wanted, withinHours, client.now());
		if (soon) return soon;

		await client.waitUntilCertain(context, index);
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
		if (creation.send) return undefined;
		// One whose fields were refused is none. What others have made is taken to be done.
		return (await wanted.doneAmong(drafts)) ?? (await wanted.freeAmong(drafts))[0];
	} catch (error) {
		if (error instanceof NodeApiError) {
			const why =
				'Nothing was created or sent, because it is not known whether the document exists already.';
			error.description = [error.description, why].filter(Boolean).join(' ');
		}
		throw asThrown(error);
	}
}
