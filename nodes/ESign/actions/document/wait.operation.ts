import { randomUUID } from 'crypto';
import {
	NodeApiError,
	WAIT_INDEFINITELY,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import { asThrown, serviceOf } from '../../client';
import { downloadFiles, variantsIn } from '../../operation/completedFiles';
import { documentOfItem, notice, partOf, type Item } from '../../operation/parameters';
import { isTool } from '../../operation/isTool';
import { hasEnded } from '../../service/ending';
import { endedItems, readDocuments } from '../../waiting/readDocuments';
import { proveWaitingUrl, registerWithTriggers } from '../../waiting/registerWithTriggers';
import { saveWait } from '../../waiting/savedWait';
import type { WaitingExecution } from '../../messages/message';
import type { OperationOption } from '../../operation/operation';
import { limitOf, limitWaitTime } from './limitWaitTime';

export const option = {
	name: 'Wait for Completion',
	value: 'wait',
	action: 'Wait for completion of documents',
	description:
		'Pause the execution until the documents of all input items are completed, declined, cancelled or expired. Needs a published eSign Trigger with these four events.',
	// A model cannot wait for weeks; an execution that it runs a tool in is not put to sleep.
	displayOptions: { hide: { '@tool': [true] } },
} satisfies OperationOption;

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
		'An eSign Trigger wakes this execution: it must be published in this n8n, with the same API key and the events Document Completed, Declined, Cancelled and Expired. Publish it before you send.',
	),
	{ property: waitOptions },
];

export const endpoint = ['GET /webhooks', 'GET /documents/{id}'] as const;

/**
 * The trigger learns of it before the documents are read: no end is missed in between
 * (docs/architecture.md section 8).
 */
export async function executeAll(items: readonly Item[]): Promise<INodeExecutionData[][]> {
	const [first] = items;
	if (!first) return [];
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
	const wait = { key: request.id, documents: ids, files, workspaceMode };
	saveWait(context, wait);
	const tellTriggers = await registerWithTriggers(context, request);
	try {
		await proveWaitingUrl(context, request.resume);
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

/** @throws NodeOperationError where there is no execution that n8n could wake */
function requestOf(item: Item, documents: string[], waitTill: Date): WaitingExecution {
	const { context } = item;
	if (isTool(context) || context.getNode().type.endsWith('Tool')) {
		const remedy = 'Use Wait for Completion in a workflow, or give the model Document > Get.';
		throw item.error('A tool cannot wait for documents', remedy);
	}
	const resume = String(context.evaluateExpression('{{ $execution.resumeUrl }}', item.index));
	const execution = context.getExecutionId();
	if (!execution || !URL.canParse(resume)) {
		const remedy = 'Run the workflow itself, not a single step of it.';
		throw item.error('This execution cannot wait: n8n does not save it', remedy);
	}
	return {
		id: randomUUID(),
		execution,
		resume,
		documents,
		at: Date.now(),
		until: waitTill < WAIT_INDEFINITELY ? waitTill.getTime() : undefined,
	};
}
