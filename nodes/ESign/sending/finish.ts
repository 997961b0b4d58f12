import { NodeApiError } from 'n8n-workflow';
import { asThrown, client, isGone, leavesOpen, type Document } from '../client';
import { openRequests, type OpenRequest } from './known/kept';
import { isOut, type Found, type Wanted } from './wanted';

/**
 * Makes a draft ready and sends it by its ID, or takes what is out, and adds what belongs to the
 * output. The document is kept with the execution until that is through: another try continues here.
 *
 * @param left what an earlier try has left, where the document is not of this one
 */
export async function finish(wanted: Wanted, found: Found, left?: OpenRequest): Promise<Document> {
	const { kept, creation } = wanted;
	const document = 'out' in found ? found.out : found.draft;
	const draftSentAt = left?.document && left.sentAt;
	const sentAt = 'out' in found ? client.moment() : draftSentAt;
	const request = { ...wanted.request(), document: { ...document }, sentAt };
	if (left) openRequests.drop(kept, left);
	openRequests.keep(kept, request);
	await wanted.recordDocument(document.id);

	const isOwn = left === undefined;
	const sent = 'out' in found ? document : await sendDraft(wanted, document, request, isOwn);
	const { complete } = creation.then;
	const result = creation.send && complete ? await complete(sent) : sent;
	openRequests.drop(kept, request);
	return result;
}

async function sendDraft(
	wanted: Wanted,
	draft: Document,
	request: OpenRequest,
	isOwn: boolean,
): Promise<Document> {
	const mayBeOut = request.sentAt !== undefined;
	try {
		const ready = mayBeOut ? draft : await prepare(wanted, draft, isOwn);
		if (!wanted.creation.send || isOut(ready)) return ready;
		return await dispatch(wanted, ready, request);
	} catch (error) {
		// Refused: nothing was sent, unless a try before this one has.
		if (!leavesOpen(error) && !mayBeOut) await wanted.forgetBegun();
		// What does not exist is not out, and nobody can continue with it.
		if (isGone(error)) openRequests.drop(wanted.kept, request);
		throw asThrown(error);
	}
}

/** With a draft of an earlier try a person may have gone on: then it is as it is. */
async function prepare(
	{ item, creation }: Wanted,
	draft: Document,
	isOwn: boolean,
): Promise<Document> {
	if (!creation.then.prepare) return draft;
	return await creation.then.prepare(draft, isOwn).catch(async (error: unknown) => {
		const isNoDraft = error instanceof NodeApiError && error.httpCode === '409';
		if (isOwn || !isNoDraft) throw asThrown(error);
		const document = await item.call('GET /documents/{id}', { path: { id: draft.id } });
		// It would be sent without what is missing.
		if (document.status === 'draft') throw asThrown(error);
		return document;
	});
}

/** Kept as sent before it is: n8n saves what is stopped or killed as it was at that moment. */
async function dispatch(
	{ kept, creation }: Wanted,
	ready: Document,
	request: OpenRequest,
): Promise<Document> {
	const before = { ...request, document: { ...ready } };
	openRequests.keep(kept, { ...before, sentAt: request.sentAt ?? client.moment() });
	try {
		return { ...ready, ...(await creation.then.dispatch(ready)) };
	} catch (error) {
		// What a try before this one may have sent is as open as it was.
		if (!leavesOpen(error)) openRequests.keep(kept, before);
		throw asThrown(error);
	}
}
