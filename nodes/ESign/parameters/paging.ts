import { checkValue } from './checks/rules';
import { number, toggle } from './declare';
import type { Item } from './item';

/** A number of results, with the editor's arrows for whole numbers only. */
export const limit = number('limit', 'Limit', {
	min: 1,
	whole: true,
	mandatory: true,
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
});

const returnAll = toggle('returnAll', 'Return All', {
	description: 'Whether to return all results or only up to a given limit',
});

/** Return All and, unless it is on, Limit. */
export const paging = [returnAll, limit.with({ displayOptions: { show: { returnAll: [false] } } })];

/** How many results are wanted; undefined means all. */
export function wantedCount(item: Item): number | undefined {
	return item.read(returnAll) === true ? undefined : readLimit(item);
}

/** The value of Limit: a whole number of at least 1, and at most `max` where the service knows no further page. */
export function readLimit(item: Item, max?: number): number | undefined {
	const given = item.given(limit.name, { fallback: limit.property.default });
	return checkValue(given, { ...limit.rule, max } as typeof limit.rule, limit.label, item.problems) as
		number | undefined;
}

export const simplify = toggle('simplify', 'Simplify', {
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});
