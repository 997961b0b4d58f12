import { randomUUID } from 'crypto';
import {
	NodeApiError,
	WAIT_INDEFINITELY,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import { asThrown, serviceOf } from '../../client';
import {
	downloadFiles,
	variantsIn,
	checkObject,
	choice,
	documentOfItem,
	isNothing,
	moment,
	notice,
	number,
	partOf,
	isTool,
	type Item,
	type ParameterValue,
	type ValuesOf,
	type OperationOption,
} from '../../operation';
import { hasEnded } from '../../service/ending';
import { endedItems, readDocuments } from '../../waiting/readDocuments';
import { proveWaitingUrl, registerWithTriggers } from '../../waiting/registerWithTriggers';
import { saveWait } from '../../waiting/savedWait';
import type { WaitingExecution } from '../../messages/message';

export const option = {
	name: 'Wait for Completion',
	value: 'wait',
	action: 'Wait for completion of documents',
	description:
		'Pause the execution until all documents are completed, declined, cancelled or expired. Needs a published eSign Trigger with these four events.',
	// A model cannot wait for weeks; an execution that it runs a tool in is not put to sleep.
	displayOptions: { hide: { '@tool': [true] } },
} satisfies OperationOption;

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
const limitWaitTime: INodeProperties = {
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

const waitOptions: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [downloadFiles.property, limitWaitTime],
};

export const description = [
	documentOfItem,
	notice(
		'waitNotice',
		'First publish an eSign Trigger with the same API key and the events Document Completed, Declined, Cancelled and Expired.',
	),
	{ property: waitOptions },
];

export const endpoint = ['GET /webhooks', 'GET /documents/{id}'] as const;

/**
 * The trigger learns of it before the documents are read: no end is missed in between
 * (docs/architecture.md section 8).
 */
export async function executeAll(
	items: readonly [Item, ...Item[]],
): Promise<INodeExecutionData[][]> {
	const [first] = items;
	const { context } = first;
	const ids = items.map((item) => {
		const id = item.read(documentOfItem);
		item.check();
		return id;
	});
	const { files, waitTill } = optionsOf(first);
	const itemOf = new Map(ids.map((id, index) => [id, index] as const).reverse());
	const request = requestOf(first, [...itemOf.keys()], waitTill);
	const { workspaceMode } = await serviceOf(context);
	const wait = { id: request.id, documents: ids, files, workspaceMode };
	saveWait(context, wait);
	const tellTriggers = await registerWithTriggers(context, request);
	try {
		await proveWaitingUrl(context, request.resumeUrl);
		const found = await readDocuments(context, itemOf);
		const open: string[] = [];
		for (const [id, one] of found) {
			// There is no such document.
			if (one instanceof NodeApiError) throw one;
			if (!hasEnded(one)) open.push(id);
		}
		if (open.length < itemOf.size) await tellTriggers(open);
		if (open.length === 0) return (await endedItems(context, wait, found)).map((one) => [one]);
	} catch (error) {
		await tellTriggers([]);
		throw asThrown(error);
	}
	await context.putExecutionToWait(waitTill);
	return context.getInputData().map((input) => [input]);
}

/**
 * @throws NodeOperationError for a limit that is none, and files that are no files of a document
 */
function optionsOf(item: Item) {
	const given = item.given(waitOptions);
	const chosen = partOf(given, downloadFiles.name);
	const refuse = item.problems.at(downloadFiles.label);
	const files = downloadFiles.check(chosen, refuse, item.timezone);
	const waitTill = limitOf(item, given);
	item.check();
	return { files: variantsIn(files), waitTill };
}

/**
 * When the execution resumes by itself; `WAIT_INDEFINITELY` without a limit.
 *
 * @param options what the item has as Options of Wait for Completion
 */
function limitOf(item: Item, options: ParameterValue): Date {
	const given = partOf(partOf(options, limitWaitTime.name), 'values');
	if (isNothing(given.value)) return WAIT_INDEFINITELY;
	const isMoment = partOf(given, limitType.name).value === 'atSpecifiedTime';
	const asked = [limitType, resumeAmount, resumeUnit, maxDateAndTime.with({ mandatory: isMoment })];
	const limit = checkObject(given, asked, limitWaitTime.displayName, item) as ValuesOf<
		typeof values
	>;
	if (limit.maxDateAndTime) return new Date(limit.maxDateAndTime);
	const { resumeAmount: amount = 7, resumeUnit: unit = 'days' } = limit;
	const until = Date.now() + amount * (MS[unit] ?? 0);
	return new Date(Math.min(until, WAIT_INDEFINITELY.getTime()));
}

/** @throws NodeOperationError where there is no execution that n8n could wake */
function requestOf(item: Item, documents: string[], waitTill: Date): WaitingExecution {
	const { context } = item;
	if (isTool(context) || context.getNode().type.endsWith('Tool')) {
		throw item.error(
			'A tool cannot wait for documents',
			'Use Wait for Completion in a workflow, or give the model Document > Get.',
		);
	}
	const resumeUrl = String(context.evaluateExpression('{{ $execution.resumeUrl }}', item.index));
	const execution = context.getExecutionId();
	if (!execution || !URL.canParse(resumeUrl)) {
		throw item.error(
			'This execution cannot wait: n8n does not save it',
			'Run the workflow itself, not a single step of it.',
		);
	}
	return {
		id: randomUUID(),
		execution,
		resumeUrl,
		documents,
		at: Date.now(),
		until: waitTill < WAIT_INDEFINITELY ? waitTill.getTime() : undefined,
	};
}
