import { NodeApiError, type IDataObject } from 'n8n-workflow';
import { instantOf } from '../../settings';
import { NewestFirst } from '../../call/newestFirst';
import { pagesOf } from '../../call/pages';
import type { Session } from '../../session/session';
import type { Document } from '../../../service/wire';
import type { Ask } from '../call';
import { isBefore, type Search } from './search';
import { addressOf, readAs } from './sameText';
import { sameRecipients } from './sameRecipients';

/** The title of a document that was created without one (docs/service.md section 2). */
const DEFAULT_TITLE = 'Untitled document';

const PAGE_SIZE = 100;

/** Where a list that is not seen to descend has to be read whole, some limit is needed. */
const MOST_PAGES = 50;

/**
 * The documents created since a time, which is asked for after each answer: more is known of the service's clock by then.
 * Reading stops early where the list is seen to be newest first.
 */
export async function newestDocuments(
	{ context, ask, since, stop }: Pick<Search, 'context' | 'ask' | 'since' | 'stop'>,
	itemIndex: number | undefined,
): Promise<Document[]> {
	const found: Document[] = [];
	const order = new NewestFirst();
	let pages = 0;
	const readPage = async (cursor?: string) =>
		await ask('GET /documents', { query: { limit: PAGE_SIZE, cursor }, itemIndex });
	for await (const page of pagesOf(context, readPage)) {
		if (pages === MOST_PAGES)
			throw stop(`the newest documents are not among the first ${MOST_PAGES * PAGE_SIZE} of the list`);
		pages += 1;
		const oldest = since();
		for (const document of page) {
			order.see(document.created_at);
			if (!isBefore(document, oldest)) found.push(document);
		}
		if (order.isPast(oldest)) break;
	}
	return found;
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
export async function readDocumentsWithin(
	{ context, settings, state }: Session,
	ask: Ask,
	milliseconds: number,
	itemIndex: number | undefined,
): Promise<Document[]> {
	const begun = instantOf(settings.clock);
	const stop = (message: string) => {
		const error: IDataObject = { message };
		const description = 'Choose a shorter time. Nothing was created for this item.';
		return new NodeApiError(context.getNode(), error as { message: string }, { message, description, itemIndex });
	};
	const since = () => state.serverClock.shown(begun) - milliseconds;
	return await newestDocuments({ context, ask, since, stop }, itemIndex);
}
