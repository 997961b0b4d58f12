import { NodeOperationError } from 'n8n-workflow';
import { asThrown, client, runOf, type Document } from '../client';
import type { OpenRequest } from './kept';
import { likenessOf, peopleKey, titleKey } from './likeness';
import { entriesFor, recordDocument, SENT_STATUSES, type Wanted } from './wanted';
import { FOUND, inDoubt } from './words';

/** What whole seconds leave out, and clocks that disagree unnoticed (client/call/serverClock.ts). */
const TOLERANCE_MS = 65_000;

const TEMPLATE_SEND = 'POST /templates/{id}/send';

/**
 * What became of a request to send a template whose answer was lost. Waits until nothing can come
 * of it any longer, and looks once: at what is out for these people, was created in that time and
 * is no other item's. Exactly one with this title is it.
 *
 * @returns undefined if it was not carried out
 * @throws NodeApiError, in doubt, if that cannot be told
 */
export async function findLost(wanted: Wanted, lost: OpenRequest): Promise<Document | undefined> {
	const { item } = wanted;
	const certainInMs = certainAfterMs(lost);
	await client.waitUntilCertain(
		item.context,
		TEMPLATE_SEND,
		client.now() + certainInMs,
		item.index,
	);

	const free = await look(wanted, lost).catch((error: unknown) => {
		// The execution was stopped.
		if (error instanceof NodeOperationError) throw asThrown(error);
		throw inDoubt(item, [], asThrown(error));
	});
	const [only] = free;
	if (!only) return undefined;
	const isIt = only.isOwn ?? (only.isSure && only.hasTitle);
	const documents = free.map(({ document }) => document);
	if (free.length > 1 || !isIt) throw inDoubt(item, documents);
	await recordDocument(wanted, only.document.id);
	runOf(item.context).hintAt(FOUND, only.document.id);
	return only.document;
}

/** After so long from now nothing can come of it. */
export function certainAfterMs({ sentAt, lostAt }: OpenRequest): number {
	const { requestTimeoutMs, lateEffectMs } = client.settings;
	if (lostAt) return lateEffectMs - client.elapsedSince(lostAt);
	if (sentAt) return requestTimeoutMs + lateEffectMs - client.elapsedSince(sentAt);
	return 0;
}

/** A document that may have come of the request. Unsure: by the clocks it may be older. */
type Fitting = { document: Document; isSure: boolean; hasTitle?: boolean; isOwn?: true };

async function look(wanted: Wanted, lost: OpenRequest): Promise<Fitting[]> {
	const { item, memory } = wanted;
	const { sentAt = client.moment(), lostAt, likeness } = lost;
	const list = await client.documentsSince(item.context, sentAt, TOLERANCE_MS, item.index);
	const { requestTimeoutMs, lateEffectMs } = client.settings;
	const { certain } = await client.serviceTime(item.context, sentAt);
	const answeredMs = lostAt ? lostAt.at - sentAt.at : requestTimeoutMs;
	const until = certain + answeredMs + lateEffectMs + TOLERANCE_MS;
	const people = peopleKey(likeness.emails);
	const fitting: Fitting[] = list.flatMap((document) => {
		const createdAt = Date.parse(document.created_at);
		const isForThem = peopleKey(likenessOf(document).emails) === people;
		const isOut = SENT_STATUSES.includes(document.status);
		return isOut && isForThem && createdAt <= until
			? [{ document, isSure: createdAt >= certain }]
			: [];
	});

	const claims = [wanted.claim, lost.item];
	const isOwn = await memory.has(
		...fitting.flatMap(({ document }) =>
			claims.map((claim) => entriesFor({ ...wanted, claim }, document.id).own),
		),
	);
	const own = fitting.find((_, index) => isOwn[2 * index] || isOwn[2 * index + 1]);
	// Another try has found it, or has sent it.
	if (own) return [{ ...own, isOwn: true }];
	const isKnown = await memory.has(...fitting.map(({ document }) => document.id));
	const free = fitting.filter((_, index) => !isKnown[index]);
	if (free.length === 0) return [];

	const title = titleKey(likeness.title ?? (await wanted.likeness()).title);
	return free
		.map((one) => ({ ...one, hasTitle: titleKey(one.document.title) === title }))
		.filter(({ isSure, hasTitle }) => isSure || hasTitle);
}
