import { NodeOperationError } from 'n8n-workflow';
import type { ApiContext } from '../session/context';
import { MOST_ENTRIES } from '../../service/limits';
import type { Page } from '../../service/wire';

/**
 * Reads a list with a cursor to its end, or to its first `limit` entries, in as few pages as that takes.
 *
 * @throws NodeOperationError if the service gives the same cursor twice: the list would never end
 */
export async function readAll<Item>(
	context: ApiContext,
	limit: number,
	readPage: (page: { limit: number; cursor?: string }) => Promise<Page<Item>>,
): Promise<Item[]> {
	const items: Item[] = [];
	const seen = new Set<string>();
	let cursor: string | undefined;
	while (items.length < limit) {
		const page = await readPage({ limit: Math.min(MOST_ENTRIES, limit - items.length), cursor });
		for (const item of page.data) items.push(item);
		if (!page.has_more || page.next_cursor === null) break;
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
