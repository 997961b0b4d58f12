import type { Document } from '../../../service/wire';
import { readAll } from '../../call/pages';
import { failure } from '../../errors/failure';
import { ask, type Call } from '../call';
import { addressOf, peopleKey, readAs } from './sameText';

/** The title of a document that was created without one (docs/service.md section 2). */
const DEFAULT_TITLE = 'Untitled document';

/** Where a list that is not seen to descend has to be read whole, some limit is needed. */
const MAX_PAGES = 50;

/** The documents created since a time, which is asked after each answer. @throws NodeApiError also for a list that is too long */
export async function newestDocuments(call: Call, since: () => number): Promise<Document[]> {
	let pages = 0;
	const readPage = async (query: { limit: number; cursor?: string }) => {
		if (pages++ < MAX_PAGES) return await ask(call, 'GET /documents', { query });
		const message = `the newest documents are not among the first ${MAX_PAGES * query.limit} of the list`;
		const description = 'Nothing was created. Choose a shorter time; instead of a retry, run the workflow anew.';
		throw failure(call, undefined, { message, description });
	};
	return await readAll(call.context, readPage, { keep: (document) => !isBefore(document, since()), since });
}

/** Whether something was created before a time. What has no time that can be read may be of any. */
export function isBefore({ created_at: createdAt }: { created_at: string }, time: number): boolean {
	return Date.parse(createdAt) < time;
}

/** What tells one document from another for a person: docs/architecture.md section 9. */
export type DocumentLikeness = {
	/** Left out: the one that the service gives. */
	title?: string;
	recipients: ReadonlyArray<{ name?: unknown; email: string; role?: unknown }>;
};

/** The same for documents of the same title and the same email addresses, in any order. */
export function likenessKey({ title = DEFAULT_TITLE, recipients }: DocumentLikeness): string {
	return JSON.stringify([readAs(title), recipients.map(({ email }) => addressOf(email)).sort()]);
}

/** The same title, and the same people in the same roles. */
export function isExactly(document: Document, { title = DEFAULT_TITLE, recipients }: DocumentLikeness): boolean {
	return readAs(document.title) === readAs(title) && peopleKey(document.recipients) === peopleKey(recipients);
}
