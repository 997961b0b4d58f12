import { NodeOperationError } from 'n8n-workflow';
import type { Page } from '../../service/wire';
import type { ApiContext } from '../run';

/**
 * The pages of a list with a cursor. @throws NodeOperationError if the same cursor comes twice: the
 * list would never end
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
				description:
					'It has given the same cursor twice. Set a limit, and report this to the support of the service.',
			});
		}
		seen.add(next);
		cursor = next;
	}
}

/** Which entries of a list are wanted, where the service itself does not filter. */
export interface Selection<Item> {
	limit?: number;
	/** Whether an entry is wanted; the others do not count for the limit. */
	keep?: (item: Item) => boolean;
	/**
	 * No entry created before this time is wanted, in milliseconds since the epoch. It is asked after
	 * each page; the last page may hold older ones.
	 */
	since?: () => number | Promise<number>;
}

/**
 * Whether a list has come to what is older than some time: at least one entry was older than the
 * one before it, and none newer.
 */
export function hasComePast(time: number, times: readonly number[]): boolean {
	const [first = NaN] = times;
	const last = times.at(-1) ?? NaN;
	const isDescending = times.every((at, index) => index === 0 || at <= (times[index - 1] ?? NaN));
	return isDescending && last < first && last < time;
}
