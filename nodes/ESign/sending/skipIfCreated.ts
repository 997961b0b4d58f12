import { NodeApiError } from 'n8n-workflow';
import { asThrown, client, type Document } from '../client';
import { waitInTurn } from './find';
import { documentsSince, momentOf, refreshed } from './known/documentList';
import { likenessKey, likenessOf } from './known/likeness';
import { isRetry } from './known/line';
import { isOut, type Wanted } from './wanted';

const HOUR_MS = 3_600_000;

/** What whole seconds leave out. */
const TOLERANCE_MS = 3_000;

/**
 * The document with the same title for the same people, if there is one (docs/architecture.md
 * section 9). Where the list as it is known has none, it is looked for in turn: who finds others
 * before, on other workers or killed, waits for each of them until nothing can come of it.
 *
 * @throws NodeApiError also if the service cannot be asked; then nothing is created
 */
export async function findExisting(
	wanted: Wanted,
	withinHours: number,
): Promise<Document | undefined> {
	const lookSince = async (time: number) => await look(wanted, withinHours, time);
	const known = await lookSince(0);
	if (known) return known;

	try {
		// Another worker may have made it since the list was read.
		const lookAgain = async () => await lookSince(client.now());
		const { wasThere } = await wanted.turns.take();
		return (wasThere ? await lookAgain() : undefined) ?? (await waitInTurn(wanted, lookAgain));
	} catch (error) {
		// Nothing of this one is in doubt, also where it was stopped.
		await wanted.turns.abandon();
		throw asThrown(error);
	}
}

async function look(
	wanted: Wanted,
	withinHours: number,
	readSince: number,
): Promise<Document | undefined> {
	const { item, creation } = wanted;
	const since = momentOf(sinceWhen(wanted, withinHours));
	try {
		const key = likenessKey(await wanted.likeness());
		const known = await documentsSince(item, since, readSince);
		const { possible } = await client.serviceTime(item.context, since);
		const alike = known
			.filter(({ document }) => likenessKey(likenessOf(document)) === key)
			.filter(({ document }) => Date.parse(document.created_at) >= possible - TOLERANCE_MS);
		const drafts: Document[] = [];
		for (const one of alike.reverse()) {
			const document = await refreshed(item, one);
			if (document && isOut(document)) return document;
			if (document?.status === 'draft') drafts.push(document);
		}
		// One that is out counts before a draft: what is created of a draft is sent by the next node.
		return creation.send ? undefined : await draftOf(wanted, drafts);
	} catch (error) {
		if (error instanceof NodeApiError) {
			const why =
				'Nothing was created or sent, because it is not known whether the document exists already.';
			error.description = [error.description, why].filter(Boolean).join(' ');
		}
		throw asThrown(error);
	}
}

/** Of the drafts that fit, the newest one that somebody has: a lost answer may leave another. */
async function draftOf(wanted: Wanted, drafts: readonly Document[]): Promise<Document | undefined> {
	const [newest] = drafts;
	if (drafts.length < 2) return newest;
	const [known] = await wanted.knownAmong(drafts).catch(() => []);
	return known ?? newest;
}

/** A retry looks back to the beginning of the line at least. In milliseconds since the epoch. */
function sinceWhen({ item, kept }: Wanted, withinHours: number): number {
	const within = client.moment().wallClock - withinHours * HOUR_MS;
	const { beganAt = within } = kept.line;
	return isRetry(item.context) ? Math.min(within, beganAt) : within;
}
