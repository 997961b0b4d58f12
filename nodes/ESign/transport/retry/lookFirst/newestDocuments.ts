import type { Document } from '../../../service/wire';
import { NewestFirst } from '../../http/newestFirst';
import { entriesIn, isBefore, type Search } from './effect';

const PAGE_SIZE = 100;

/** Where a list that is not seen to descend has to be read whole, some limit is needed. */
const MOST_PAGES = 50;

/**
 * The documents created since a time, which is asked for after each answer: more is known of the service's clock by then.
 * Reading stops early where the list is seen to be newest first.
 */
export async function newestDocuments(
	search: Pick<Search, 'ask' | 'since' | 'stop'>,
	itemIndex: number | undefined,
): Promise<Document[]> {
	const found: Document[] = [];
	let cursor: string | undefined;
	const seen = new Set<string>();
	const order = new NewestFirst();
	for (let page = 0; page < MOST_PAGES; page++) {
		const query = { limit: PAGE_SIZE, cursor };
		const { data, has_more: hasMore, next_cursor: next } = await search.ask('GET /documents', { query, itemIndex });
		const since = search.since();
		for (const document of entriesIn(data, search)) {
			order.see(document.created_at);
			if (!isBefore(document, since)) found.push(document);
		}
		if (!hasMore || next === null) return found;
		if (order.isPast(since)) return found;
		if (seen.has(next)) throw search.stop('the list of the service does not end: it has given the same cursor twice');
		seen.add(next);
		cursor = next;
	}
	throw search.stop(`the newest documents are not among the first ${MOST_PAGES * PAGE_SIZE} of the list`);
}
