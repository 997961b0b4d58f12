import type { Document } from '../../../service/wire';
import { entriesIn, type Search } from './effect';

const PAGE_SIZE = 100;

/** Where a list that is not seen to descend has to be read whole, some limit is needed. */
const MOST_PAGES = 50;

/**
 * The documents created since a time, which is asked for after each answer: more is known of the service's clock by then. The
 * order of the list is not shown in docs/service.md, so reading stops early only where `created_at` is seen to descend.
 */
export async function newestDocuments(
	search: Pick<Search, 'ask' | 'since' | 'stop'>,
	itemIndex: number | undefined,
): Promise<Document[]> {
	const found: Document[] = [];
	let cursor: string | undefined;
	let previous = Infinity;
	let descents = 0;
	let ascents = 0;
	for (let page = 0; page < MOST_PAGES; page++) {
		const query = { limit: PAGE_SIZE, cursor };
		const { data, has_more: hasMore, next_cursor: next } = await search.ask('GET /documents', { query, itemIndex });
		const since = search.since();
		for (const document of entriesIn(data, search)) {
			const createdAt = Date.parse(document.created_at);
			if (previous !== Infinity && createdAt < previous) descents += 1;
			if (createdAt > previous) ascents += 1;
			previous = createdAt;
			if (createdAt >= since) found.push(document);
		}
		if (!hasMore || next === null) return found;
		if (descents > 0 && ascents === 0 && previous < since) return found;
		cursor = next;
	}
	throw search.stop(`the newest documents are not among the first ${MOST_PAGES * PAGE_SIZE} of the list`);
}
