import { integer, toggle } from './declare';
import type { Item } from './item';

export const limit = integer('limit', 'Limit', {
	min: 1,
	mandatory: true,
	default: 50,
	description: 'Max number of results to return',
});

const returnAll = toggle('returnAll', 'Return All', {
	description: 'Whether to return all results or only up to a given limit',
});

export const paging = [returnAll, limit.with({ displayOptions: { show: { returnAll: [false] } } })];

/** How many results are wanted; undefined means all. */
export function wantedCount(item: Item): number | undefined {
	return item.read(returnAll) === true ? undefined : item.read(limit);
}

export const simplify = toggle('simplify', 'Simplify', {
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});
