import { NodeApiError } from 'n8n-workflow';
import {
	asThrown,
	client,
	isGone,
	leavesOpen,
	readCallFailure,
	runOf,
	type Document,
} from '../client';
import { readIfThere } from './known/documentList';
import { dropOpen, keepOpen, type OpenRequest } from './known/kept';
import { noteWithdrawn, settle } from './settle';
import { isOut, type Wanted } from './wanted';
import { SPARE } from './words';

/**
 * Makes a draft ready and sends it by its ID, or takes what is out, and adds what belongs to the
 * output. The document is kept with the execution until that is through: another try continues
 * here. Of several retries at once the first that claims the item does so; the others wait, and
 * take what that one has made.
 *
 * @param left what an earlier try has left, where the document is not of this one
 */
export async function finish(
	wanted: Wanted,
	document: Document,
	left?: OpenRequest,
): Promise<Document> {
	if (isOut(document) || (await wanted.claim())) return await finishClaimed(wanted, document, left);

	const found = (await settle(wanted, wanted.request)) ?? document;
	if (found.id === document.id) return await finish(wanted, { ...document, ...found }, left);

	runOf(wanted.item.context).hintAt(SPARE, document.id);
	return await finish(wanted, found, wanted.request);
}

async function finishClaimed(
	wanted: Wanted,
	document: Document,
	left: OpenRequest | undefined,
): Promise<Document> {
	const { kept, creation } = wanted;
	const mayBeUnderWay = left && wanted.begun === 'elsewhere' && creation.send;
	const sentAt = mayBeUnderWay ? client.moment() : left?.sentAt;
	const request = { ...wanted.request, document, sentAt };
	if (left) dropOpen(kept, left);
	keepOpen(kept, request);
	const isOwn = left === undefined;
	await wanted.memory.recordDocument(document.id, isOwn);

	const sent = isOut(document) ? document : await sendDraft(wanted, document, request, isOwn);
	// It is out, whatever its output lacks.
	keepOpen(kept, { ...request, document: sent });
	const { complete } = creation.then;
	const result = creation.send && complete ? await complete(sent) : sent;
	dropOpen(kept, request);
	if (!creation.send) await wanted.memory.recordDone(document.id);
	return result;
}

async function sendDraft(
	wanted: Wanted,
	draft: Document,
	request: OpenRequest,
	isOwn: boolean,
): Promise<Document> {
	const { kept, creation } = wanted;
	let unsent = request;
	try {
		const ready = await prepare(wanted, draft, isOwn);
		if (!creation.send || isOut(ready)) return ready;

		unsent = { ...request, document: ready };
		const confirm = async () => await wanted.confirm();
		// Kept as sent before it is: n8n saves what is stopped or killed as it was at that moment.
		keepOpen(kept, { ...unsent, sentAt: client.moment() });
		return { ...ready, ...(await creation.then.dispatch(ready, confirm)) };
	} catch (error) {
		if (error instanceof NodeApiError && error.context.documentStatus === 'cancelled') {
			throw noteWithdrawn(wanted, request, { ...draft, status: 'cancelled' });
		}
		const isOpen = leavesOpen(error);
		// Refused: nothing was sent. What a try before this one may have sent is as open as it was.
		if (!isOpen) keepOpen(kept, unsent);
		if (!isOpen && !request.sentAt) await wanted.giveUp();
		// What does not exist is not out, and nobody can continue with it.
		if (isGone(error)) dropOpen(kept, request);
		throw asThrown(error);
	}
}

/** A person, or another retry, may have gone on with the draft: then it is as it is. */
async function prepare(
	{ item, creation }: Wanted,
	draft: Document,
	isOwn: boolean,
): Promise<Document> {
	if (!creation.then.prepare) return draft;
	return await creation.then.prepare(draft, isOwn).catch(async (error: unknown) => {
		const mayBeGoneOn = !isOwn && readCallFailure(error).status === 409;
		const document = mayBeGoneOn ? await readIfThere(item, draft.id) : undefined;
		// It would be sent without what is missing.
		if (!document || document.status === 'draft') throw asThrown(error);
		return document;
	});
}
