import { NodeOperationError } from 'n8n-workflow';
import { asThrown, runOf, type Document } from '../client';
import { find, untilCertain } from './find';
import { readIfThere } from './known/documentList';
import { openRequests, type OpenRequest } from './known/kept';
import { titleKey } from './known/likeness';
import { isOut, type Wanted } from './wanted';
import { NEVER_SENT, SENT_UNCHANGED } from './words';

/**
 * What the item had asked for before it was corrected: if it is out, it is the item's.
 *
 * @throws NodeOperationError, in doubt, if that cannot be told
 */
export async function settleCorrected(
	wanted: Wanted,
): Promise<{ found: Document; request: OpenRequest } | undefined> {
	const { kept, item } = wanted;
	for (const request of wanted.leftBefore()) {
		wanted.hasTurn = true;
		const found = request.document
			? await settleDraft(wanted, request, request.document.id)
			: await settleLost(wanted, request);
		if (found && isOut(found)) runOf(item.context).hintAt(SENT_UNCHANGED, found.id);
		if (found) return { found, request };
		openRequests.drop(kept, request);
	}
	return undefined;
}

async function settleLost(wanted: Wanted, request: OpenRequest): Promise<Document | undefined> {
	const found = await find(wanted, request).catch(async (error: unknown) => {
		// A person was asked to look, and gave it another title.
		const { title } = await wanted.likeness();
		const isNamed = error instanceof NodeOperationError && 'documents' in error.context;
		if (isNamed && titleKey(title) !== titleKey(request.likeness.title)) return undefined;
		throw asThrown(error);
	});
	if (!found) wanted.beginAnew();
	return found;
}

async function settleDraft(
	{ item }: Wanted,
	request: OpenRequest,
	id: string,
): Promise<Document | undefined> {
	if (request.sentAt) {
		await untilCertain(item, request);
		const document = await readIfThere(item, id);
		if (document && isOut(document)) return document;
	}
	runOf(item.context).hintAt(NEVER_SENT, id);
	return undefined;
}
