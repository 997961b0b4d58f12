import { NodeApiError, NodeOperationError, type IDataObject } from 'n8n-workflow';
import {
	asThrown,
	client,
	isGone,
	leavesOpen,
	readCallFailure,
	runOf,
	type Document,
} from '../client';
import type { Item } from '../operation/parameters';
import { findLost } from './find';
import { readIfThere } from './known/documentList';
import { dropOpen, isInDoubt, keepOpen, type OpenRequest } from './known/kept';
import { isOut, type Wanted } from './wanted';
import { CONTINUED, SENT_UNCHANGED, withdrawn } from './words';

/**
 * What came of a request of an earlier try, or of somebody who asked for the same: a document that
 * is out, or a draft to continue with. What the item had asked for before it was corrected is the
 * item's if it is out; a draft of that is never sent.
 *
 * @returns undefined: nothing did, and nothing can any longer
 * @throws NodeOperationError, in doubt, if that cannot be told
 */
export async function settle(wanted: Wanted, request: OpenRequest): Promise<Document | undefined> {
	const { kept, item } = wanted;
	// That nothing came of it is known.
	if (!request.document && !request.sentAt) return undefined;

	// Whoever takes it over keeps it with its own execution, too; a draft, once it is read.
	const own = request.sentAt ? { ...request, item: item.id } : request;
	dropOpen(kept, request);
	// A person was asked, and has given it another title: none of those is this one.
	if (own.named !== undefined && own.named !== wanted.written) return undefined;

	keepOpen(kept, own);
	const document = own.document
		? await settleDraft(wanted, request, own.document)
		: await findLost(wanted, own);
	// What came of somebody else's order, and was withdrawn, does not end this one.
	const isOthers = request.item !== item.id;
	if (!document || (isOthers && isWithdrawn(document))) {
		dropOpen(kept, own);
		// From now on it goes out by an ID: what has none, an older execution might not find.
		if (!own.document) kept.open.push({ ...own, sentAt: undefined });
		return undefined;
	}
	if (isOut(document) && own.asked !== wanted.request.asked) {
		runOf(item.context).hintAt(SENT_UNCHANGED, document.id);
	}
	return document;
}

async function settleDraft(
	wanted: Wanted,
	request: OpenRequest,
	draft: Document,
): Promise<Document | undefined> {
	const { item } = wanted;
	const isSame = request.asked === wanted.request.asked;
	const isOwn = request.item === item.id;
	if ((isSame && isOwn) || draft.status !== 'draft') return draft;

	// Somebody may have withdrawn or deleted it, or the key may be of another workspace.
	if (isSame) return await readIfThere(item, draft.id);

	if (!request.sentAt) return undefined;
	await client.waitUntilCertain(item.context, item.index, request.lostAt);
	const document = await readIfThere(item, draft.id);
	return document?.status === 'draft' ? undefined : document;
}

function isWithdrawn(document: Document): boolean {
	return document.status !== 'draft' && !isOut(document);
}

/**
 * Makes a draft ready and sends it by its ID, or takes what is out, and adds what belongs to the
 * output. The document is kept with the execution until that is through: another try continues
 * here.
 *
 * @param left what an earlier try has left of it
 * @param isOwn whether this very run of the node has made it
 * @throws NodeOperationError also if the document was withdrawn
 */
export async function finish(
	wanted: Wanted,
	document: Document,
	left?: OpenRequest,
	isOwn = false,
): Promise<Document> {
	const { item, kept, creation } = wanted;
	// Another execution may be sending it just now.
	const mayBeUnderWay = wanted.mayHaveCome && creation.send;
	const sentAt = mayBeUnderWay ? client.moment() : left?.sentAt;
	const request = { ...wanted.request, document, sentAt };
	if (left) dropOpen(kept, left);
	keepOpen(kept, request);
	if (isWithdrawn(document)) throw withdrawn(item, document);
	if (left && !isOut(document)) runOf(item.context).hintAt(CONTINUED, document.id);
	await wanted.begin(document.id);

	const sent = isOut(document) ? document : await sendDraft(wanted, document, request, isOwn);
	// It is out, whatever its output lacks.
	keepOpen(kept, { ...request, document: sent });
	const complete = async () => (await creation.complete?.(sent)) ?? sent;
	const result = await step(item, sent, 'adding its embed links', complete);
	dropOpen(kept, request);
	// Where it has made it to be sent, nobody else has it.
	if (!creation.send || !isOwn) await wanted.noteDone(document.id);
	return result;
}

async function sendDraft(
	wanted: Wanted,
	draft: Document,
	request: OpenRequest,
	isOwn: boolean,
): Promise<Document> {
	const { item, kept, creation } = wanted;
	let unsent = request;
	try {
		const ready = await prepare(wanted, draft, isOwn);
		if (!creation.send || isOut(ready)) return ready;

		unsent = { ...request, document: ready };
		// Kept as sent before it is: n8n saves what is stopped as it was at that moment.
		keepOpen(kept, { ...unsent, sentAt: client.moment() });
		// By its ID: nobody can do it twice.
		const sent = await step(item, ready, 'sending it', async () => {
			const call = { path: { id: ready.id } };
			const document = await item.call('POST /documents/{id}/send', call);
			if (document.status !== 'draft') return document;
			throw item.error('The service says that it is still a draft');
		});
		return { ...ready, ...sent };
	} catch (error) {
		if (error instanceof NodeApiError && error.context.documentStatus === 'cancelled') {
			const cancelled: Document = { ...draft, status: 'cancelled' };
			keepOpen(kept, { ...request, document: cancelled });
			throw withdrawn(item, cancelled);
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
	if (!creation.prepare) return draft;
	return await creation.prepare(draft, isOwn).catch(async (error: Error) => {
		const mayBeGoneOn = !isOwn && readCallFailure(error).status === 409;
		const document = mayBeGoneOn ? await readIfThere(item, draft.id) : undefined;
		// It would be sent without what is missing.
		if (!document || document.status === 'draft') throw error;
		return document;
	});
}

/** Runs a step after the document exists; a failure names its id and the step. */
export async function step<Result>(
	item: Item,
	document: Document,
	name: string,
	run: () => Promise<Result>,
): Promise<Result> {
	try {
		return await run();
	} catch (error) {
		const failure = asThrown(error);
		const { id } = document;
		const made = isOut(document) ? `The document ${id} was sent` : `The draft ${id} was created`;
		const mayBeOut = leavesOpen(failure) && isInDoubt(item);
		const what = mayBeOut ? 'and may have been sent' : `but ${name} failed`;
		failure.message = `${made}, ${what}: ${failure.message}`;
		if (failure instanceof NodeApiError || failure instanceof NodeOperationError) {
			// What to do where it is not known what came of it stands there already.
			const remedy = mayBeOut ? '' : remedyFor(item, document, failure);
			failure.description = [failure.description, remedy].filter(Boolean).join('\n');
			failure.context.documentId = id;
		}
		// n8n saves a cancelled execution at the moment of the cancellation, before this error: only
		// the log keeps it.
		const isCancelled = item.context.getExecutionCancelSignal()?.aborted === true;
		if (isCancelled) item.context.logger.warn(`eSign: ${failure.message}`);
		throw failure;
	}
}

function remedyFor(
	item: Item,
	document: Document,
	failure: NodeApiError | NodeOperationError,
): string {
	const { context } = failure;
	if (isOut(document)) return 'It is not sent again: a retry adds what is missing.';
	if (isGone(failure)) return 'Somebody has deleted the draft. The next try creates another.';
	const details = Array.isArray(context.details) ? (context.details as IDataObject[]) : [];
	if (details.some(({ field }) => /^files\b/.test(String(field))))
		return 'No fields can be placed on this draft, and it can never be sent. Create another with a file that opens in a PDF reader or in Word.';
	// n8n offers no retry of an execution that has continued.
	const retried = item.context.continueOnFail() ? '' : ', and a retry continues with it';
	return `The draft is kept${retried}. To continue by hand, use Update Fields and Send instead of creating another draft.`;
}
