import { NodeOperationError } from 'n8n-workflow';
import { asThrown, client, runOf, type Document, type Timestamp, type Words } from '../client';
import type { Item } from '../operation/parameters';
import {
	createdSince,
	documentsSince,
	momentOf,
	readIfThere,
	type Known,
	type Own,
} from './known/documentList';
import { isAnothers, isOpenForAnother, type Kept, type OpenRequest } from './known/kept';
import { likenessKey, likenessOf, peopleKey, titleKey } from './known/names';
import { isOut, type Wanted } from './wanted';
import { FOUND, FOUND_IN_RETRY, named, NEVER_SENT, notKnown, SENT_UNCHANGED } from './words';

/**
 * What whole seconds leave out, and clocks that disagree unnoticed (client/call/serverClock.ts).
 */
const TOLERANCE_MS = 65_000;

/** What an ID tells is looked for so long before: the clock may have been ahead, and set since. */
const CLOCK_SET_MS = 15 * 60_000;

/**
 * What came of a request whose outcome is unknown: what n8n's memory has as this item's, or
 * else the one document that looks like it and is recorded as no item's. It is out, a draft, or
 * was withdrawn.
 *
 * @returns undefined if nothing did, and nothing can any longer
 * @throws NodeOperationError if that cannot be told, or a person has to look
 */
export async function find(wanted: Wanted, request: OpenRequest): Promise<Document | undefined> {
	// While the document of a request may still come, another one could be taken for it.
	const { item, turn, claimOfItem } = wanted;
	const { lostAt: othersClaimedAt } = claimOfItem;
	const isUnderWay = !request.sentAt && !request.lostAt;
	const found = isUnderWay ? await look(wanted, request, othersClaimedAt, false) : undefined;
	if (found) return found;

	// Nothing can come of those whose turn was before. But another one may have claimed the item.
	const isCertain = turn?.hasWaited && othersClaimedAt === 0 && !request.lostAt;
	if (!isCertain) await client.waitUntilCertain(item.context, item.index, request.lostAt);
	return await look(wanted, request, client.now(), true);
}

/**
 * @param readSince the list is read again if it is older, by the client's clock
 * @param isCertain whether nothing can come any longer
 * @throws NodeOperationError, in doubt, where the service or the memory cannot be asked
 */
async function look(
	wanted: Wanted,
	request: OpenRequest,
	readSince: number,
	isCertain: boolean,
): Promise<Document | undefined> {
	const { item, kept } = wanted;
	const since = request.sentAt?.wallClock ?? beginningOf(kept);
	try {
		const known = await documentsSince(item, momentOf(since - CLOCK_SET_MS), readSince);
		const own = await amongOwn(wanted, known, readSince, isCertain);
		if (own && (isOut(own) || !request.sentAt)) return own;
		// A draft of the item is what came of another try: what this request has sent goes first.
		return (await amongFree(wanted, request, known)) ?? own;
	} catch (error) {
		// A person has to look, or the execution was stopped.
		if (error instanceof NodeOperationError) throw asThrown(error);
		throw notKnown(item, asThrown(error).message);
	}
}

/** Of the documents that are recorded as this item's. */
async function amongOwn(
	wanted: Wanted,
	known: readonly Known[],
	readSince: number,
	isCertain: boolean,
): Promise<Document | undefined> {
	const { item, creation } = wanted;
	const own = await ownNow(wanted, known, readSince);
	const sure = own.filter(({ isSure }) => isSure);
	// What is recorded for the item counts, and what is alike where nothing is the item's.
	const doubtful = own.filter(({ isSure, isOfItem }) => {
		return !isSure && (isOfItem || sure.length === 0);
	});
	const isSent = ({ document }: Own) => document.status !== 'draft';
	const out = sure.find(({ document }) => isOut(document));
	if (out) return foundOut(item, out.document, out.isSame ? FOUND_IN_RETRY : SENT_UNCHANGED);
	const unclear = doubtful.find(isSent);
	if (unclear) throw await namedNow(wanted, [unclear.document]);
	const sent = sure.find(isSent);
	if (sent) return sent.document;

	// Another one of several may be under way, or whatever another retry has.
	const isOnly = sure.length === 1 && wanted.claimOfItem.lostAt === 0;
	if (!isOnly && !isCertain) return undefined;
	// Another execution that is done with a draft has its next node send it. Here it may be of before
	// a correction: then it is never sent.
	const done = creation.send ? undefined : sure.find(({ isDone }) => isDone);
	const draft = done ?? sure.find(({ isSame }) => isSame);
	if (draft) return draft.document;
	for (const { document } of sure) runOf(item.context).hintAt(NEVER_SENT, document.id);
	return undefined;
}

/** Of those that may be the item's own, as they are, what no other item of the execution has. */
async function ownNow(wanted: Wanted, known: readonly Known[], readSince: number): Promise<Own[]> {
	const { item, kept, names } = wanted;
	const own: Own[] = [];
	for (const one of await ownOf(wanted, known)) {
		const { id, status } = one.document;
		// What another one has put out, unless Skip If Created has found it for both.
		if (kept.made.includes(id) && !(one.isDone && names.isSkipping)) continue;
		if (isOpenForAnother(kept, item.id, id)) continue;
		// A draft of before the item was corrected may have been sent after the list was read, too.
		const since = one.isSame ? readSince : client.now();
		const isOld = status === 'draft' && one.at.at < since;
		const document = isOld ? await readIfThere(item, id) : undefined;
		own.push({ ...one, document: document ?? one.document });
	}
	return own;
}

/**
 * Mostly it is with the item's people. So n8n, which takes long to be asked about the documents of
 * a long list, is asked about the others only if none of theirs is out.
 */
async function ownOf(wanted: Wanted, known: readonly Known[]): Promise<Own[]> {
	const { names, memory } = wanted;
	const isTheirs = ({ document }: Known) => peopleKey(likenessOf(document).emails) === names.people;
	const own = await memory.ownAmong(known.filter(isTheirs));
	if (own.some(({ document, isSure }) => isSure && isOut(document))) return own;
	const others = await memory.ownAmong(known.filter((one) => !isTheirs(one)));
	return [...own, ...others].sort((one, other) => Number(other.isSame) - Number(one.isSame));
}

/** When the executions began; 0 where the clock was ahead then, and since set. */
function beginningOf({ line: { beganAt = 0 } }: Kept): number {
	return beganAt > client.moment().wallClock ? 0 : beganAt;
}

/**
 * Of the documents that were sent and are recorded as no item's. What goes out by its ID is
 * recorded before: only what was sent in one request can be among them.
 */
async function amongFree(
	wanted: Wanted,
	request: OpenRequest,
	listed: readonly Known[],
): Promise<Document | undefined> {
	const { item, names, kept, memory } = wanted;
	const { sentAt } = request;
	const sent = listed.filter(({ document }) => document.status !== 'draft');
	const alike = sentAt
		? await sentThen(wanted, request, sentAt, sent)
		: await sentInLine(wanted, sent);
	const areOthers = await memory.areOthers(alike.map(({ document }) => document));
	const free = alike.filter(({ document: { id } }, index) => {
		return !areOthers[index] && !isAnothers(kept, names, id);
	});
	// What was withdrawn counts where nothing else does.
	const out = free.filter(({ document }) => isOut(document));
	const counted = out.length > 0 ? out : free;
	const [only] = counted;
	if (!only) return undefined;

	const documents = counted.map(({ document }) => document);
	if (counted.length > 1 || !only.isIt) throw await namedNow(wanted, documents);

	return foundOut(item, only.document, sentAt ? FOUND : FOUND_IN_RETRY);
}

/** Of the documents those that are like what the item has sent since its executions began. */
async function sentInLine(wanted: Wanted, documents: readonly Known[]) {
	const { item, kept, memory, creation } = wanted;
	const beganAt = momentOf(beginningOf(kept));
	const ofLine = await createdSince(item, documents, beganAt, TOLERANCE_MS);
	return await memory.sentAmong(ofLine, creation.titleOf);
}

/** Of the documents those for its people that may have come of a request, and whether one is it. */
async function sentThen(
	wanted: Wanted,
	{ lostAt, likeness }: OpenRequest,
	sentAt: Timestamp,
	documents: readonly Known[],
) {
	const people = peopleKey(likeness.emails);
	const toThem = documents.filter(({ document }) => {
		return peopleKey(likenessOf(document).emails) === people;
	});
	if (toThem.length === 0) return [];

	const title = titleKey(likeness.title ?? (await wanted.likeness()).title);
	// By the service's clock.
	const { possible, certain } = await client.serviceTime(wanted.item.context, sentAt);
	const answeredMs = lostAt ? lostAt.at - sentAt.at : Infinity;
	const until = certain + answeredMs + client.settings.lateEffectMs + TOLERANCE_MS;
	return toThem.flatMap(({ document }) => {
		const createdAt = Date.parse(document.created_at);
		if (createdAt < possible - TOLERANCE_MS || createdAt > until) return [];

		// What was created before that may have been there before.
		const isSure = createdAt >= certain;
		// Nobody promises that the service keeps a title as it was given.
		const hasTitle = titleKey(document.title) === title;
		return hasTitle || isSure ? [{ document, isIt: hasTitle && isSure }] : [];
	});
}

/** A person is asked, who may say that it is none of these. */
async function namedNow({ item, memory, creation }: Wanted, documents: readonly Document[]) {
	await memory.recordNamed(documents);
	const areAlike = documents.every((document) => {
		const { title = document.title, emails } = creation;
		return likenessKey(likenessOf(document)) === likenessKey({ title, emails });
	});
	return named(item, documents, areAlike);
}

function foundOut({ context }: Item, out: Document, words: Words): Document {
	if (isOut(out)) runOf(context).hintAt(words, out.id, words === FOUND ? 'warning' : 'info');
	return out;
}
