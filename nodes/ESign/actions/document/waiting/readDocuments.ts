import { MOST_ENTRIES } from '../../../service/limits';
import { apiRequest, apiRequestPage, type ApiContext, type ApiRequest, type Document } from '../../../transport';

type Limits = Pick<ApiRequest, 'deadline'>;

/** So few are read one by one; more of them are mostly among the newest, which one request lists. */
const FEW = 2;

/**
 * Reads documents by their IDs, in few requests: one for one document, and for many one for a hundred of the newest.
 *
 * @param documents their IDs, with the index of an item that names each, for the failure
 * @param found where all that are read are put, so that a failure does not cost those; a list has others as well
 * @throws NodeApiError as `apiRequest` does; one that does not exist is a 404
 */
export async function readDocuments(
	context: ApiContext,
	documents: ReadonlyMap<string, number>,
	limits: Limits = {},
	found = new Map<string, Document>(),
): Promise<Map<string, Document>> {
	if (documents.size > FEW) await readNewest(context, documents, limits, found);
	for (const [id, itemIndex] of documents) {
		if (found.has(id)) continue;
		found.set(id, await apiRequest(context, 'GET /documents/{id}', { path: { id }, itemIndex, ...limits }));
	}
	return found;
}

/** Reads pages of the newest documents for as long as each has some of those that are wanted. */
async function readNewest(
	context: ApiContext,
	documents: ReadonlyMap<string, number>,
	limits: Limits,
	found: Map<string, Document>,
): Promise<void> {
	const unread = () => [...documents.keys()].filter((id) => !found.has(id)).length;
	for (let cursor: string | undefined; ;) {
		const before = unread();
		const page = await apiRequestPage(context, 'GET /documents', { limit: MOST_ENTRIES, cursor, ...limits });
		for (const document of page.data) found.set(document.id, document);
		if ([0, before].includes(unread()) || !page.has_more || !page.next_cursor) return;
		cursor = page.next_cursor;
	}
}
