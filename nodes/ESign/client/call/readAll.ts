import { NewestFirst } from './newestFirst';
import type { ApiContext } from '../run';
import { MOST_ENTRIES } from '../../service/limits';
import type { Page } from '../../service/wire';
import { pagesOf } from './pages';

/** Which entries of a list are wanted, where the service itself does not filter. */
export interface Selection<Item> {
	/** Whether an entry is wanted; the others do not count for the limit. */
	keep?: (item: Item) => boolean;
	/** No entry created before this time (ISO 8601 in UTC) is wanted. */
	notBefore?: string;
}

/**
 * Reads a list with a cursor to its end, or to its first `limit` entries, in as few pages as that takes. The order of a list
 * is not promised (docs/service.md section 10): reading stops at `notBefore` only while it is seen to be newest first.
 */
export async function readAll<Item extends { created_at: string }>(
	context: ApiContext,
	limit: number,
	readPage: (page: { limit: number; cursor?: string }) => Promise<Page<Item>>,
	{ keep, notBefore }: Selection<Item> = {},
): Promise<Item[]> {
	const items: Item[] = [];
	if (limit <= 0) return items;
	const order = new NewestFirst();
	const oldest = notBefore === undefined ? -Infinity : Date.parse(notBefore);
	const sizeOf = () => (keep ? MOST_ENTRIES : Math.min(MOST_ENTRIES, limit - items.length));
	for await (const page of pagesOf(context, async (cursor) => await readPage({ limit: sizeOf(), cursor }))) {
		for (const item of page) {
			order.see(item.created_at);
			if (!keep || keep(item)) items.push(item);
		}
		if (items.length >= limit || order.isPast(oldest)) break;
	}
	return items.length > limit ? items.slice(0, limit) : items;
}
