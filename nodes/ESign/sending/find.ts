import { NodeOperationError } from 'n8n-workflow';
import { asThrown, client, runOf, type Document, type Words } from '../client';
import type { Item } from '../operation/parameters';
import { documentsSince, momentOf, readIfThere } from './known/documentList';
import type { OpenRequest } from './known/kept';
import { likenessOf, peopleKey, titleKey } from './known/likeness';
import { isOut, type Own, type Wanted } from './wanted';
import { FOUND, FOUND_IN_RETRY, named, NEVER_SENT, notKnown } from './words';

/**
 * What whole seconds leave out, and clocks that disagree unnoticed (client/call/serverClock.ts).
 */
const TOLERANCE_MS = 65_000;

/**
 * What came of a request whose outcome is unknown: what n8n's memory has as this item's, or
 * else the one document that looks like it and is recorded as no item's. It is out, a draft, or
 * was withdrawn.
 *
 * @returns undefined if nothing did, and nothing can any longer
 * @throws NodeOperationError if that cannot be told, or a person has to look
 */
export async function find(wanted: Wanted, request: OpenRequest): Promise<Document | undefined> {
	const { item, creation } = wanted;
	// While its document may still come, another one could be taken for it.
	if (request.sentAt) await untilCertain(item, request);
	const found = await look(wanted, request, request.sentAt ? client.now() : 0);
	if (found || request.sentAt || !creation.send) return found;

	await untilCertain(item);
	return await look(wanted, request, client.now());
}

/**
 * Waits until nothing can come of a request any longer. One of which it is unknown when its answer
 * was lost may be under way just now: it may have waited for the rate limit before it was sent.
 *
 * @param request left out: of one that another process may be about to lose
 */
export async function untilCertain(
	{ context, index }: Item,
	{ lostAt }: Pick<OpenRequest, 'lostAt'> = {},
): Promise<void> {
	const { requestTimeoutMs, lateEffectMs } = client.settings;
	const now = client.now();
	const answerLostAt = lostAt ? now - client.elapsedSince(lostAt) : now + requestTimeoutMs;
	await client.waitUntilCertain(context, answerLostAt + lateEffectMs, index);
}

async function look(
	wanted: Wanted,
	request: OpenRequest,
	readSince: number,
): Promise<Document | undefined> {
	const { item, kept } = wanted;
	const since = request.sentAt?.wallClock ?? kept.line.beganAt ?? 0;
	try {
		const known = await documentsSince(item, momentOf(since - TOLERANCE_MS), readSince);
		const documents = known.map(({ document }) => document);
		const own = await amongOwn(wanted, documents);
		if (own && (isOut(own) || !request.sentAt)) return own;
		// A draft of the item is what came of another try: what this request has sent goes first.
		return (await amongFree(wanted, request, documents)) ?? own;
	} catch (error) {
		// A person has to look, or the execution was stopped.
		if (error instanceof NodeOperationError) throw asThrown(error);
		const { message } = asThrown(error);
		throw notKnown(item, message);
	}
}

/** Of the documents that are recorded as this item's. */
async function amongOwn(
	wanted: Wanted,
	documents: readonly Document[],
): Promise<Document | undefined> {
	const { item } = wanted;
	const recorded = await wanted.ownAmong(documents);
	const own: Document[] = [];
	for (const one of recorded) own.push(await asItIs(item, one));
	const out = own.find(isOut);
	if (out) return foundOut(item, out, FOUND_IN_RETRY);

	const drafts = recorded.filter(({ document }) => document.status === 'draft');
	const draft = drafts.find(({ isSame }) => isSame)?.document;
	if (draft) return draft;

	for (const { document } of drafts) runOf(item.context).hintAt(NEVER_SENT, document.id);
	return own.find(({ status }) => status !== 'draft');
}

/** Before the item was corrected its draft may have been sent, after the list was read, too. */
async function asItIs(item: Item, { document, isSame }: Own): Promise<Document> {
	if (isSame || document.status !== 'draft') return document;
	return (await readIfThere(item, document.id)) ?? document;
}

/**
 * Of the documents that are out for these people and are recorded as no item's. What goes out by
 * its ID is recorded before: only what was sent in one request can be among them.
 */
async function amongFree(
	wanted: Wanted,
	request: OpenRequest,
	documents: readonly Document[],
): Promise<Document | undefined> {
	const { item } = wanted;
	const { sentAt, likeness } = request;
	const people = peopleKey(likeness.emails);
	const out = documents
		.filter(isOut)
		.filter((document) => peopleKey(likenessOf(document).emails) === people);
	if (out.length === 0) return undefined;
	if (!sentAt && !(await wanted.wasBegunDirectly())) return undefined;

	const known = await wanted.knownAmong(out);
	const title = titleKey(likeness.title ?? (await wanted.likeness()).title);
	const { from, certain, until } = await spanOf(item, request);
	const fitting = out
		.filter((document) => !known.includes(document))
		.map((document) => ({
			document,
			createdAt: Date.parse(document.created_at),
			hasTitle: titleKey(document.title) === title,
		}))
		.map((one) => ({ ...one, isSure: one.createdAt >= certain }))
		.filter(({ createdAt }) => !(createdAt < from || createdAt > until))
		// Nobody promises that the service keeps a title as it was given.
		.filter(({ isSure, hasTitle }) => hasTitle || (isSure && sentAt !== undefined));
	const [only] = fitting;
	if (!only) return undefined;

	const isIt = fitting.length === 1 && only.hasTitle && only.isSure;
	if (!isIt) {
		throw named(
			item,
			fitting.map(({ document }) => document),
		);
	}
	await wanted.recordDocument(only.document.id);
	return foundOut(item, only.document, sentAt ? FOUND : FOUND_IN_RETRY);
}

/**
 * When a document was created that came of a request, by the service's clock: between `from` and
 * `until`, and what was created since `certain` is none that was there before.
 */
async function spanOf({ context }: Item, { sentAt, lostAt }: OpenRequest) {
	if (!sentAt) return { from: -Infinity, certain: -Infinity, until: Infinity };
	const { lateEffectMs } = client.settings;
	const { possible, certain } = await client.serviceTime(context, sentAt);
	const answeredMs = lostAt ? lostAt.at - sentAt.at : Infinity;
	const until = certain + answeredMs + lateEffectMs + TOLERANCE_MS;
	return { from: possible - TOLERANCE_MS, certain, until };
}

function foundOut({ context }: Item, out: Document, words: Words): Document {
	runOf(context).hintAt(words, out.id, words === FOUND ? 'warning' : 'info');
	return out;
}
