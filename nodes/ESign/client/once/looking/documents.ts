import type { Document } from '../../../service/wire';
import { readAll } from '../../call/pages';
import { failure } from '../../errors/failure';
import { ask, type Call } from '../call';

/** Where a list that is not seen to descend has to be read whole, some limit is needed. */
const MAX_PAGES = 50;

/**
 * The documents created since a time, which is asked after each answer. @throws NodeApiError also
 * for a list that is too long
 */
export async function newestDocuments(call: Call, since: () => number): Promise<Document[]> {
	let pages = 0;
	const readPage = async (query: { limit: number; cursor?: string }) => {
		if (pages++ < MAX_PAGES) return await ask(call, 'GET /documents', { query });
		const message = `the newest documents are not among the first ${MAX_PAGES * query.limit} of the list`;
		const description =
			'Nothing was created. Choose a shorter time; instead of a retry, run the workflow anew.';
		throw failure(call, undefined, { message, description });
	};
	return await readAll(call.context, readPage, {
		keep: (document) => !isBefore(document, since()),
		since,
	});
}

/** Whether something was created before a time. What has no time that can be read may be of any. */
export function isBefore({ created_at: createdAt }: { created_at: string }, time: number): boolean {
	return Date.parse(createdAt) < time;
}
