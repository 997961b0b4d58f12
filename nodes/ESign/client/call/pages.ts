import { NodeOperationError } from 'n8n-workflow';
import type { ApiContext } from '../run';
import type { Page } from '../../service/wire';

/**
 * The pages of a list with a cursor, one after the other, until the caller has seen enough of them.
 *
 * @throws NodeOperationError if the service gives the same cursor twice: the list would never end
 */
export async function* pagesOf<Item>(
	context: ApiContext,
	readPage: (cursor: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Item[]> {
	const seen = new Set<string>();
	let cursor: string | undefined;
	for (;;) {
		const { data, has_more: hasMore, next_cursor: next } = await readPage(cursor);
		yield data;
		if (!hasMore || !next) return;
		if (seen.has(next)) {
			throw new NodeOperationError(context.getNode(), 'The list of the service does not end', {
				description: 'It has given the same cursor twice. Set a limit, and report this to the support of the service.',
			});
		}
		seen.add((cursor = next));
	}
}
