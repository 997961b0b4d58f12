import type { NodeOperationError } from 'n8n-workflow';
import { runOf, type Document } from '../client';
import { find } from './find';
import { readIfThere } from './known/documentList';
import { dropOpen, keepOpen, untilCertain, type OpenRequest } from './known/kept';
import { nodeOf } from './known/names';
import { isOut, type Wanted } from './wanted';
import { CONTINUED, NEVER_SENT, SENT_UNCHANGED, withdrawn } from './words';

/**
 * What came of a request of an earlier try, or of somebody who asked for the same: a document that
 * is out, or a draft to continue with. What the item had asked for before it was corrected is the
 * item's if it is out; a draft of that is never sent.
 *
 * @returns undefined: nothing did, and nothing can any longer
 * @throws NodeOperationError, in doubt, if that cannot be told, or if the document was withdrawn
 */
export async function settle(wanted: Wanted, request: OpenRequest): Promise<Document | undefined> {
	const { kept, item } = wanted;
	// Whoever takes it over keeps it with its own execution, too.
	const own = { ...request, item: item.id };
	dropOpen(kept, request);
	keepOpen(kept, own);
	const { document } = own;
	const isOfOthers = nodeOf(request.item) !== nodeOf(item.id);
	if (document && isOfOthers) await wanted.memory.takeOver(request.item, document.id);
	const found = document ? await settleDraft(wanted, own, document) : await find(wanted, own);
	if (!document && !found) wanted.begun = 'anew';
	const isWithdrawn = found && found.status !== 'draft' && !isOut(found);
	// What came of somebody else's order, and was withdrawn, does not end this one.
	if (isWithdrawn && request.item === item.id) throw noteWithdrawn(wanted, own, found);
	if (!found || isWithdrawn) {
		dropOpen(kept, own);
		return undefined;
	}
	if (isOut(found) && own.asked !== wanted.request.asked) {
		runOf(item.context).hintAt(SENT_UNCHANGED, found.id);
	}
	return found;
}

/** The error of an item whose document was withdrawn, which is known from now on. */
export function noteWithdrawn(
	{ item, kept }: Wanted,
	request: OpenRequest,
	document: Document,
): NodeOperationError {
	keepOpen(kept, { ...request, document });
	return withdrawn(item, document);
}

async function settleDraft(
	wanted: Wanted,
	request: OpenRequest,
	draft: Document,
): Promise<Document | undefined> {
	const { item } = wanted;
	if (draft.status !== 'draft') return draft;

	if (request.asked === wanted.request.asked) {
		runOf(item.context).hintAt(CONTINUED, draft.id);
		return draft;
	}
	// A person may have finished it by hand, too.
	if (request.sentAt) await untilCertain(item, request);
	const document = await readIfThere(item, draft.id);
	const isSent = document && document.status !== 'draft';
	if (isSent && !(await wanted.memory.isTakenOver(draft.id))) return document;

	runOf(item.context).hintAt(NEVER_SENT, draft.id);
	return undefined;
}
