import { WAIT_INDEFINITELY, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';
import { givenParameter, isNothing, partOf } from '../../parameters/checks/given';
import { Problems } from '../../parameters/checks/problems';
import { checkObject, type PropertyRules } from '../../parameters/checks/rules';

const MS: Record<string, number> = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

const shownFor = (limitType: string) => ({ displayOptions: { show: { limitType: [limitType] } } });

const limitType: INodeProperties = {
	displayName: 'Limit Type',
	name: 'limitType',
	type: 'options',
	default: 'afterTimeInterval',
	description: 'What ends the wait if the documents do not',
	options: [
		{ name: 'After Time Interval', value: 'afterTimeInterval', description: 'Waits for a certain amount of time' },
		{ name: 'At Specified Time', value: 'atSpecifiedTime', description: 'Waits until the set date and time' },
	],
};

const resumeAmount: INodeProperties = {
	displayName: 'Amount',
	name: 'resumeAmount',
	type: 'number',
	...shownFor('afterTimeInterval'),
	typeOptions: { minValue: 0 },
	default: 7,
	description: 'The time to wait',
};

const resumeUnit: INodeProperties = {
	displayName: 'Unit',
	name: 'resumeUnit',
	type: 'options',
	...shownFor('afterTimeInterval'),
	options: ['Minutes', 'Hours', 'Days'].map((name) => ({ name, value: name.toLowerCase() })),
	default: 'days',
	description: 'Unit of the time to wait',
};

const maxDateAndTime: INodeProperties = {
	displayName: 'Max Date and Time',
	name: 'maxDateAndTime',
	type: 'dateTime',
	...shownFor('atSpecifiedTime'),
	default: '',
	description: 'Continues at this date and time, in the timezone of the workflow',
};

/** The names and values are those of n8n's own Send and Wait operations, so that people find what they know. */
const limitWaitTime: INodeProperties = {
	displayName: 'Limit Wait Time',
	name: 'limitWaitTime',
	type: 'fixedCollection',
	default: { values: { limitType: 'afterTimeInterval', resumeAmount: 7, resumeUnit: 'days' } },
	description:
		'How long to wait at most. When the time is up, the input items are passed through unchanged: their status is still in_progress.',
	options: [{ displayName: 'Values', name: 'values', values: [limitType, resumeAmount, resumeUnit, maxDateAndTime] }],
};

export const waitOptions: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [limitWaitTime],
};

interface Limit {
	limitType?: string;
	resumeAmount?: number;
	resumeUnit?: string;
	maxDateAndTime?: string;
}

/** When the execution goes on by itself, as the first item has it; `WAIT_INDEFINITELY` without a limit. */
export function limitOf(context: IExecuteFunctions): Date {
	const given = partOf(partOf(givenParameter(context, 0, waitOptions.name), limitWaitTime.name), 'values');
	if (isNothing(given.value)) return WAIT_INDEFINITELY;
	const problems = new Problems();
	const { limitType } = given.value as Limit;
	const isMoment = limitType === 'atSpecifiedTime';
	const rules: PropertyRules = {
		limitType: { label: 'Limit Type', type: 'choice', choices: ['afterTimeInterval', 'atSpecifiedTime'] },
		resumeAmount: { label: 'Amount', type: 'number', min: 0 },
		resumeUnit: { label: 'Unit', type: 'choice', choices: Object.keys(MS) },
		maxDateAndTime: {
			label: 'Max Date and Time',
			type: 'moment',
			timezone: context.getTimezone(),
			required: isMoment,
		},
	};
	const place = { label: limitWaitTime.displayName, json: false };
	const limit = checkObject(given, rules, place, problems) as Limit;
	problems.throwIfAny(context, 0);
	if (isMoment && limit.maxDateAndTime) return new Date(limit.maxDateAndTime);
	const { resumeAmount = 7, resumeUnit = 'days' } = limit;
	const until = Date.now() + resumeAmount * (MS[resumeUnit] ?? 0);
	return new Date(Math.min(until, WAIT_INDEFINITELY.getTime()));
}
