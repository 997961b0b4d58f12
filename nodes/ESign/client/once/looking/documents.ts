import { NodeApiError, type IDataObject } from 'n8n-workflow';
import type { Document } from '../../../service/wire';
import { readAll } from '../../call/pages';
import { timestampOf } from '../../settings';
import type { Call } from '../call';
import { isBefore, type LookFilter } from './lookFilter';
import { addressOf, readAs, sameRecipients } from './sameText';

/** The title of a document that was created without one (docs/service.md section 2). */
const DEFAULT_TITLE = 'Untitled document';

/** Where a list that is not seen to descend has to be read whole, some limit is needed. */
const MAX_PAGES = 50;

/** The documents created since a time, which is asked for after each answer: more is known of the service's clock by then. */
export async function newestDocuments(
	{ context, ask, since, stop }: Pick<LookFilter, 'context' | 'ask' | 'since' | 'stop'>,
	itemIndex: number | undefined,
): Promise<Document[]> {
	let pages = 0;
	const readPage = async (query: { limit: number; cursor?: string }) => {
		if (pages++ < MAX_PAGES) return await ask('GET /documents', { query, itemIndex });
		throw stop(`the newest documents are not among the first ${MAX_PAGES * query.limit} of the list`);
	};
	return await readAll(context, readPage, { keep: (document) => !isBefore(document, since()), since });
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

/** What tells one document from another for a person: docs/architecture.md section 9. */
export type DocumentLikeness = {
	/** Left out: the one that the service gives. */
	title?: string;
	recipients: ReadonlyArray<{ name?: unknown; email: string; role?: unknown }>;
};

/** The same for documents of the same title and the same e-mail addresses; names, roles and order do not matter. */
export function likenessKey({ title = DEFAULT_TITLE, recipients }: DocumentLikeness): string {
	return JSON.stringify([readAs(title), recipients.map(({ email }) => addressOf(email)).sort()]);
}

/** The same title, and the same people in the same roles. */
export function isExactly(document: Document, { title, recipients }: DocumentLikeness): boolean {
	return hasTitle(document, title) && sameRecipients(document.recipients, recipients);
}

/**
 * The documents created within so many milliseconds, up to now. The service's clock decides, as its answers tell it: the time
 * is never taken for shorter than it is, and for two seconds longer at most.
 */
export async function readDocumentsWithin(call: Call, milliseconds: number): Promise<Document[]> {
	const { context, ask, key, itemIndex } = call;
	const begun = timestampOf(call.settings.clock);
	const stop = (message: string) => {
		const error: IDataObject = { message };
		const description = 'Choose a shorter time. Nothing was created for this item.';
		return new NodeApiError(context.getNode(), error as { message: string }, { message, description, itemIndex });
	};
	const since = () => key.serverClock.shown(begun) - milliseconds;
	return await newestDocuments({ context, ask, since, stop }, itemIndex);
}
