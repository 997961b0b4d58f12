import type { IDataObject } from 'n8n-workflow';
import type { ApiRequest } from '../../http/address';
import type { Document } from '../../../service/wire';
import { orStop } from './orStop';
import { newestDocuments } from './newestDocuments';
import { isCandidate, type Reconciler, type Search } from './effect';
import { readAs } from './sameText';
import { recipientsIn, recipientsKey, sameRecipients } from './sameRecipients';

/** The title of a document that was created without one (docs/service.md section 2). */
const DEFAULT_TITLE = 'Untitled document';

/** For POST /documents: the document with this title and these recipients. */
export function documentReconciler({ body = {}, itemIndex }: ApiRequest): Reconciler<Document> {
	const title = titleIn(body);
	const wanted = recipientsIn(body).map((recipient) => ({ ...recipient, role: null }));
	const fits = (document: Document) => hasTitle(document, title) && sameRecipients(document.recipients, wanted);
	return {
		identity: JSON.stringify(['document', readAs(title ?? DEFAULT_TITLE), recipientsKey(wanted)]),
		thing: 'document',
		find: async (search) => {
			const documents = await newestDocuments(search, itemIndex);
			return documents.filter((document) => isCandidate(document, search) && fits(document));
		},
		adopt: async (search, document) => await sentIfWanted(search, document, body.send === true, itemIndex),
	};
}

/** The title that a body asks for, as the service keeps it. */
export function titleIn(body: IDataObject): string | undefined {
	const title = typeof body.title === 'string' ? body.title.trim() : '';
	return title === '' ? undefined : title;
}

/** Whether a document has the title that was asked for. None was: it has the one that the service gives. */
export function hasTitle(document: Document, title: string | undefined): boolean {
	return readAs(document.title) === readAs(title ?? DEFAULT_TITLE);
}

/** Sends a document that was created to be sent, and of which the failure left a draft. */
export async function sentIfWanted(
	search: Search,
	document: Document,
	send: boolean,
	itemIndex: number | undefined,
): Promise<Document> {
	if (!send || document.status !== 'draft') return document;
	return await orStop(
		search,
		`the document ${document.id} was created, but is still a draft`,
		// The call that created it may be about to send it as well.
		async () =>
			await search.ask('POST /documents/{id}/send', { path: { id: document.id }, itemIndex, mayBeDone: true }),
	);
}
