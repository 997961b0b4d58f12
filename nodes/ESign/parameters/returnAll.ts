import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { givenParameter } from './checks/given';
import { Problems } from './checks/problems';
import { checkValue, type PropertyRule } from './checks/rules';

export const limit: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
};

/** Return All and, unless it is on, Limit. */
export const paging: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{ ...limit, displayOptions: { show: { returnAll: [false] } } },
];

/** How many results are wanted; undefined means all. */
export function wantedCount(context: IExecuteFunctions, itemIndex: number): number | undefined {
	const problems = new Problems();
	const given = givenParameter(context, itemIndex, 'returnAll');
	const returnAll = checkValue(given, { label: 'Return All', type: 'boolean' }, 'Return All', problems);
	problems.throwIfAny(context, itemIndex);
	return returnAll === true ? undefined : limitParameter(context, itemIndex);
}

/** The value of Limit: a whole number of at least 1, and at most `max` where the service knows no further page. */
export function limitParameter(context: IExecuteFunctions, itemIndex: number, max?: number): number {
	const problems = new Problems();
	const given = givenParameter(context, itemIndex, limit.name, { fallback: limit.default });
	const rule: PropertyRule = { label: limit.displayName, type: 'integer', min: 1, max, required: true };
	const count = checkValue(given, rule, limit.displayName, problems);
	problems.throwIfAny(context, itemIndex);
	return count as number;
}
