import { client, runOf, type Document } from '../client';
import { documentsOfLine } from './documentList';
import { openRequests } from './kept';
import { likenessKey, likenessOf } from './likeness';
import { entriesFor, newRequest, recordDocument, SENT_STATUSES } from './wanted';
import type { Found, Wanted } from './wanted';
import { FOUND_IN_RETRY, named, NEVER_SENT, withdrawn } from './words';

/**
 * What is there of an item that n8n's memory has as begun: somebody may have sent it, in an
 * execution of which n8n has saved nothing, or on another worker.
 *
 * @returns undefined if nothing is there, and nothing can come of it any longer
 * @throws NodeOperationError that names the documents, if a person has to look
 */
export async function findBegun(wanted: Wanted): Promise<Found | undefined> {
	const first = await look(wanted, false);
	// A draft too many harms nobody.
	if (first || !wanted.send) return first;
	const { requestTimeoutMs, lateEffectMs } = client.settings;
	const { context, index } = wanted.item;
	const certainAt = client.now() + requestTimeoutMs + lateEffectMs;
	await client.waitUntilCertain(context, 'POST /templates/{id}/send', certainAt, index);
	return await look(wanted, true);
}

async function look(wanted: Wanted, isAnew: boolean): Promise<Found | undefined> {
	const { item, memory } = wanted;
	const list = await documentsOfLine(item, isAnew);
	const isOwn = await memory.has(...list.map(({ id }) => entriesFor(wanted, id).own));
	const own = list.filter((_, index) => isOwn[index]);
	const found = await amongOwn(wanted, own);
	if (found || !wanted.send) return found;

	const sent = list.filter(({ status }) => SENT_STATUSES.includes(status));
	const key = sent.length > 0 ? likenessKey(await wanted.likeness()) : '';
	const alike = sent.filter((document) => likenessKey(likenessOf(document)) === key);
	const isKnown = await memory.has(...alike.map(({ id }) => id));
	return await amongFree(
		wanted,
		alike.filter((_, index) => !isKnown[index]),
	);
}

/** Of the documents that are recorded as this item's. */
async function amongOwn(wanted: Wanted, own: Document[]): Promise<Found | undefined> {
	const { item, memory } = wanted;
	const out = own.find(({ status }) => SENT_STATUSES.includes(status));
	if (out) {
		runOf(item.context).hintAt(FOUND_IN_RETRY, out.id, 'info');
		return { out };
	}

	const drafts = own.filter(({ status }) => status === 'draft');
	const isSame = await memory.has(...drafts.map(({ id }) => entriesFor(wanted, id).same));
	const draft = drafts.find((_, index) => isSame[index]);
	if (draft) return { draft };

	// The item was corrected since.
	for (const { id } of drafts) runOf(item.context).hintAt(NEVER_SENT, id);
	const gone = own.find(({ status }) => status === 'cancelled' || status === 'expired');
	if (gone) throw withdrawn(item, gone);
	return undefined;
}

/** Of the documents that are out, look like this one and are recorded as no item's. */
async function amongFree(wanted: Wanted, free: Document[]): Promise<Found | undefined> {
	const { item, kept } = wanted;
	const [only, ...others] = free;
	if (!only) return undefined;
	if (others.length === 0) {
		await recordDocument(wanted, only.id);
		runOf(item.context).hintAt(FOUND_IN_RETRY, only.id, 'info');
		return { out: only };
	}
	// Wherever an error output leads the item, it is not sent while nobody has looked.
	openRequests.keep(kept, newRequest(wanted, await wanted.likeness()));
	throw named(item, free);
}
