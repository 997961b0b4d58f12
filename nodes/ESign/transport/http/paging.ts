import { NodeOperationError } from 'n8n-workflow';
import { NewestFirst } from './newestFirst';
import type { ApiContext } from '../context/context';
import { MOST_ENTRIES } from '../../service/limits';
import type { Page } from '../../service/wire';

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
 *
 * @throws NodeOperationError if the service gives the same cursor twice: the list would never end
 */
export async function readAll<Item extends { created_at: string }>(
	context: ApiContext,
	limit: number,
	readPage: (page: { limit: number; cursor?: string }) => Promise<Page<Item>>,
	{ keep, notBefore }: Selection<Item> = {},
): Promise<Item[]> {
	const items: Item[] = [];
	const seen = new Set<string>();
	let cursor: string | undefined;
	const order = new NewestFirst();
	const oldest = notBefore === undefined ? -Infinity : Date.parse(notBefore);
	while (items.length < limit) {
		const page = await readPage({ limit: keep ? MOST_ENTRIES : Math.min(MOST_ENTRIES, limit - items.length), cursor });
		for (const item of page.data) {
			order.see(item.created_at);
			if (!keep || keep(item)) items.push(item);
		}
		if (!page.has_more || page.next_cursor === null || order.isPast(oldest)) break;
		if (seen.has(page.next_cursor)) {
			throw new NodeOperationError(context.getNode(), 'The list of the service does not end', {
				description: 'It has given the same cursor twice. Set a limit, and report this to the support of the service.',
			});
		}
		seen.add(page.next_cursor);
		cursor = page.next_cursor;
	}
	return items.length > limit ? items.slice(0, limit) : items;
}
