import { NodeOperationError } from 'n8n-workflow';
import { asThrown, client, runOf, type Document, type Words } from '../client';
import { createdSince, documentsSince, momentOf, readIfThere } from './known/documentList';
import { isAnothers, keepOpen, type OpenRequest } from './known/kept';
import { likenessKey, likenessOf, peopleKey, titleKey } from './known/likeness';
import { isOut, type Own, type Wanted } from './wanted';
import { FOUND, FOUND_IN_RETRY, named, NEVER_SENT, notKnown, SENT_UNCHANGED } from './words';

/** What whole seconds leave out, and clocks that disagree (client/call/serverClock.ts). */
const TOLERANCE_MS = 65_000;

/**
 * What came of an item that another execution has begun: what is recorded as its own, or else, of
 * what is sent in one request, the one document that looks like it and is recorded as no item's. It
 * is out, a draft, or was withdrawn.
 *
 * @returns undefined if nothing did, and nothing can any longer
 * @throws NodeOperationError if that cannot be told
 */
export async function findBegun(wanted: Wanted): Promise<Document | undefined> {
	const { item } = wanted;
	return await orNotKnown(wanted, async () => {
		const early = await lookInLine(wanted, 0, false);
		if (early) return early;

		// Where Skip If Created has waited for others, nothing can come of those any longer.
		if (!wanted.turn.isLater) await client.waitUntilCertain(item.context, item.index);
		const found = await lookInTurn(wanted, async () => {
			return await lookInLine(wanted, client.now(), true);
		});
		wanted.mayHaveCome = found !== undefined;
		return found;
	});
}

/** Of several that look at once, and find nothing, one continues, and the others look again. */
async function lookInTurn(
	wanted: Wanted,
	look: () => Promise<Document | undefined>,
): Promise<Document | undefined> {
	const { item, isRetry, anew } = wanted;
	for (;;) {
		const found = await look();
		// Only retries of one execution are at it at the same time.
		if (found || !isRetry || (await anew.take())) return found;
		await client.waitUntilCertain(item.context, item.index);
	}
}

/**
 * @param readSince the list is read again if it is older, by the client's clock
 * @param isCertain whether nothing can come any longer
 */
async function lookInLine(
	wanted: Wanted,
	readSince: number,
	isCertain: boolean,
): Promise<Document | undefined> {
	const { item, kept } = wanted;
	const { direct, send } = wanted.creation;
	const since = momentOf((kept.line.beganAt ?? 0) - TOLERANCE_MS);
	const known = await documentsSince(item, since, readSince);
	const listed = known.map(({ document }) => document);
	const own = await ownOf(wanted, listed);
	const out = own.find(({ document }) => isOut(document));
	if (out) return found(wanted, out.document, out.isSame ? FOUND_IN_RETRY : SENT_UNCHANGED);

	const ended = own.find(({ document }) => document.status !== 'draft');
	if (ended) return ended.document;

	// Another one of several drafts, or of before a correction, may be about to go out.
	const drafts = own.map(({ document }) => document);
	const done = send ? undefined : await wanted.doneAmong(drafts);
	const draft = done ?? own.find(({ isSame }) => isSame)?.document;
	const isSettled = done !== undefined || own.length === 1;
	if (draft && (isSettled || isCertain)) return draft;
	if (own.length > 0 && !isCertain) return undefined;

	for (const { document } of own) runOf(item.context).hintAt(NEVER_SENT, document.id);
	// What has an ID before it goes out is recorded.
	if (!direct || !send) return undefined;
	const key = likenessKey(await wanted.likeness());
	// The list also has what was there before.
	const inLine = await createdSince(item, known, since, TOLERANCE_MS);
	const alike = inLine
		.map(({ document }) => document)
		.filter((one) => isOut(one) && likenessKey(likenessOf(one)) === key);
	const free = await freeOf(wanted, alike);
	if (free.length > 1) throw named(item, free);
	return free[0] && found(wanted, free[0], FOUND_IN_RETRY);
}

/**
 * The documents of the item, drafts as they are now. Mostly they are for its people. So n8n, which
 * takes long to be asked about a long list, is asked about others only if none of theirs is out.
 */
async function ownOf(wanted: Wanted, listed: readonly Document[]): Promise<Own[]> {
	const people = peopleKey(wanted.creation.emails);
	const isTheirs = (document: Document) => peopleKey(likenessOf(document).emails) === people;
	const own = await wanted.ownAmong(listed.filter(isTheirs));
	if (!own.some(({ document }) => isOut(document))) {
		own.push(...(await wanted.ownAmong(listed.filter((one) => !isTheirs(one)))));
	}
	const current: Own[] = [];
	for (const one of own) {
		const isDraft = one.document.status === 'draft';
		const document = isDraft ? await readIfThere(wanted.item, one.document.id) : one.document;
		if (document) current.push({ ...one, document });
	}
	return current;
}

/**
 * What came of a contract that was sent in one request, whose answer was lost: what is recorded as
 * the item's own, or else the one document for these people that was created meanwhile and is
 * recorded as no item's. It is out, a draft of another retry, or was withdrawn.
 *
 * @returns undefined if nothing did, and nothing can any longer
 * @throws NodeOperationError, in doubt, if that cannot be told
 */
export async function findLost(
	wanted: Wanted,
	request: OpenRequest,
): Promise<Document | undefined> {
	const { item } = wanted;
	await client.waitUntilCertain(item.context, item.index, request.lostAt);
	const look = async () => await lookSince(wanted, request);
	return await orNotKnown(wanted, async () => await lookInTurn(wanted, look));
}

async function lookSince(wanted: Wanted, request: OpenRequest): Promise<Document | undefined> {
	const { item, kept } = wanted;
	const { sentAt = client.moment(), lostAt, likeness } = request;
	const known = await documentsSince(item, sentAt, client.now());
	const listed = known.map(({ document }) => document);
	// Another retry may have made it since, whatever it was then. What was made for a correction may
	// be an equal row's.
	const isCorrected = request.asked !== wanted.request.asked;
	const own = (await ownOf(wanted, listed)).filter(({ isGiven }) => isGiven || !isCorrected);
	const isNoDraft = ({ document }: Own) => document.status !== 'draft';
	const sent = own.find(({ document }) => isOut(document)) ?? own.find(isNoDraft);
	if (sent) return found(wanted, sent.document, FOUND_IN_RETRY);

	const people = peopleKey(likeness.emails);
	const { possible, certain } = await client.serviceTime(item.context, sentAt);
	const answeredMs = lostAt ? lostAt.at - sentAt.at : Infinity;
	const until = certain + answeredMs + client.settings.lateEffectMs + TOLERANCE_MS;
	const meanwhile = listed
		.filter((one) => one.status !== 'draft' && peopleKey(likenessOf(one).emails) === people)
		.filter(({ created_at }) => {
			const createdAt = Date.parse(created_at);
			return createdAt >= possible - TOLERANCE_MS && createdAt <= until;
		});
	const title = titleKey(likeness.title ?? (await wanted.likeness()).title);
	const free = (await freeOf(wanted, meanwhile)).map((document) => {
		const hasTitle = titleKey(document.title) === title;
		// What was created before that may have been there before.
		const isSure = Date.parse(document.created_at) >= certain;
		return { document, isIt: hasTitle && isSure, mayBe: hasTitle || isSure };
	});
	const [only, ...others] = free.filter(({ mayBe }) => mayBe);
	if (!only) return own.find(({ isSame }) => isSame)?.document;
	if (only.isIt && others.length === 0) return found(wanted, only.document, FOUND);

	keepOpen(kept, { ...request, named: wanted.written });
	throw named(
		item,
		[only, ...others].map(({ document }) => document),
	);
}

/** Of the documents those of no item of this node, or of this process. */
async function freeOf(wanted: Wanted, documents: readonly Document[]): Promise<Document[]> {
	const { kept, item } = wanted;
	const free = await wanted.freeAmong(documents);
	return free.filter((one) => !isAnothers(kept, item.id, one));
}

function found({ item }: Wanted, document: Document, words: Words): Document {
	if (isOut(document))
		runOf(item.context).hintAt(words, document.id, words === FOUND ? 'warning' : 'info');
	return document;
}

/** The service or n8n's memory cannot be asked: then the item is in doubt. */
async function orNotKnown<T>({ item }: Wanted, look: () => Promise<T>): Promise<T> {
	try {
		return await look();
	} catch (error) {
		// A person has to look, or the execution was stopped.
		if (error instanceof NodeOperationError) throw asThrown(error);
		throw notKnown(item, asThrown(error).message);
	}
}
