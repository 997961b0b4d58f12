import { NodeApiError } from 'n8n-workflow';
import { MOST_ENTRIES } from '../service/limits';
import { client, asThrown, pagesOf, readCallFailure, type ApiContext, type Document } from '../client';
import { askTogether } from './askTogether';

/** So few are read one by one; more of them are mostly among the newest, which one request lists. */
const FEW = 2;

/** What is known of each document: itself, or that there is none. */
export type Found = Map<string, Document | NodeApiError>;

/** Documents to be read, by ID, with the index of an item that names each, for the failure. */
type Wanted = ReadonlyMap<string, number>;

/**
 * Reads documents, asked of the service after the call. What several executions of this process ask for at the same time is
 * read in one go: twenty documents that end within seconds would otherwise take two minutes at ten requests a minute.
 *
 * @returns each document, or the failure that there is no such document
 * @throws NodeApiError as `client.call` does
 */
export async function readDocuments(context: ApiContext, documents: Wanted): Promise<Found> {
	const ask = async (wants: Wanted[]) => await read(context, new Map(wants.flatMap((wanted) => [...wanted])));
	const found = await askTogether(context, 'documents', documents, ask);
	const own = [...found].filter(([id]) => documents.has(id));
	// A workflow may change what an item holds.
	return new Map(own.map(([id, one]) => [id, one instanceof NodeApiError ? one : structuredClone(one)]));
}

/** Reads pages of the newest for as long as each has some of them, and the others one by one. */
async function read(context: ApiContext, documents: Wanted): Promise<Found> {
	const found: Found = new Map();
	const unread = () => [...documents].filter(([id]) => !found.has(id));
	const newest = pagesOf(context, async (cursor) => {
		return await client.page(context, 'GET /documents', { limit: MOST_ENTRIES, cursor });
	});
	for (let before = Infinity; unread().length > FEW && unread().length < before;) {
		before = unread().length;
		const { value = [] } = await newest.next();
		for (const document of value) found.set(document.id, document);
	}
	for (const [id, itemIndex] of unread()) {
		try {
			found.set(id, await client.call(context, 'GET /documents/{id}', { path: { id }, itemIndex }));
		} catch (error) {
			if (!(error instanceof NodeApiError) || readCallFailure(error).status !== 404) throw asThrown(error);
			found.set(id, error);
		}
	}
	return found;
}
