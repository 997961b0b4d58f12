import { WAIT_INDEFINITELY, type INodeProperties } from 'n8n-workflow';
import {
	checkObject,
	choice,
	isNothing,
	moment,
	number,
	partOf,
	type Item,
	type ParameterValue,
	type ValuesOf,
} from '../../operation/parameters';

const MS: Record<string, number> = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

const shownFor = (limitType: string) => ({ displayOptions: { show: { limitType: [limitType] } } });

const limitType = choice('limitType', 'Limit Type', {
	default: 'afterTimeInterval',
	description: 'What ends the wait if the documents do not',
	options: {
		afterTimeInterval: ['After Time Interval', 'Waits for a certain amount of time'],
		atSpecifiedTime: ['At Specified Time', 'Waits until the set date and time'],
	},
});

const resumeAmount = number('resumeAmount', 'Amount', {
	...shownFor('afterTimeInterval'),
	min: 0,
	default: 7,
	description: 'The time to wait',
});

const resumeUnit = choice('resumeUnit', 'Unit', {
	...shownFor('afterTimeInterval'),
	options: { minutes: ['Minutes'], hours: ['Hours'], days: ['Days'] },
	default: 'days',
	description: 'Unit of the time to wait',
});

const maxDateAndTime = moment('maxDateAndTime', 'Max Date and Time', {
	...shownFor('atSpecifiedTime'),
	description: 'Continues at this date and time, in the timezone of the workflow',
});

const values = [limitType, resumeAmount, resumeUnit, maxDateAndTime];

/**
 * The names and values are those of n8n's own Send and Wait operations, so that people find what
 * they know.
 */
export const limitWaitTime: INodeProperties = {
	displayName: 'Limit Wait Time',
	name: 'limitWaitTime',
	type: 'fixedCollection',
	default: { values: { limitType: 'afterTimeInterval', resumeAmount: 7, resumeUnit: 'days' } },
	description:
		'How long to wait at most. When the time is up, the input items are passed through unchanged: their status is still in_progress.',
	options: [
		{ displayName: 'Values', name: 'values', values: values.map(({ property }) => property) },
	],
};

/**
 * When the execution resumes by itself; `WAIT_INDEFINITELY` without a limit.
 *
 * @param options what the item has as Options of Wait for Completion
 */
export function limitOf(item: Item, options: ParameterValue): Date {
	const given = partOf(partOf(options, limitWaitTime.name), 'values');
	if (isNothing(given.value)) return WAIT_INDEFINITELY;
	const isMoment = partOf(given, limitType.name).value === 'atSpecifiedTime';
	const asked = [limitType, resumeAmount, resumeUnit, maxDateAndTime.with({ mandatory: isMoment })];
	const limit = checkObject(given, asked, limitWaitTime.displayName, item) as ValuesOf<
		typeof values
	>;
	item.check();
	if (limit.maxDateAndTime) return new Date(limit.maxDateAndTime);
	const { resumeAmount: amount = 7, resumeUnit: unit = 'days' } = limit;
	const until = Date.now() + amount * (MS[unit] ?? 0);
	return new Date(Math.min(until, WAIT_INDEFINITELY.getTime()));
}
