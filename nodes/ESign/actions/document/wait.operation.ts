import { randomUUID } from 'crypto';
import {
	NodeApiError,
	NodeOperationError,
	WAIT_INDEFINITELY,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import { hasEnded } from '../../service/ending';
import { isTool } from '../../runs/isTool';
import { asThrown, type Document } from '../../client';
import { limitOf, waitOptions } from '../../waiting/limitWaitTime';
import type { WaitRequest } from '../../waiting/message';
import { readDocuments } from '../../waiting/readDocuments';
import { proveWaitingUrl, registerWithTriggers } from '../../waiting/registerWithTriggers';
import { saveWait } from '../../waiting/savedWait';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { documentLocator, idParameter } from '../../parameters/locators';

export const option = {
	name: 'Wait for Completion',
	value: 'wait',
	action: 'Wait for completion of documents',
	description:
		'Pause the execution until the documents of all input items are completed, declined, cancelled or expired. Needs a published eSign Trigger with these four events.',
	// A model cannot wait for weeks; an execution that it runs a tool in is not put to sleep.
	displayOptions: { hide: { '@tool': [true] } },
} satisfies OperationOption;

const notice: INodeProperties = {
	displayName:
		'An eSign Trigger wakes this execution: it must be published in this n8n, with the same API key and the events Document Completed, Declined, Cancelled and Expired. Publish it before you send.',
	name: 'waitNotice',
	type: 'notice',
	default: '',
};

export const description: INodeProperties[] = [documentLocator, notice, waitOptions];

/**
 * GET /webhooks and GET /documents/{id}; docs/architecture.md section 8. The trigger is told first and the documents are
 * read afterwards, so that no end is missed in between.
 */
export async function executeAll(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const inputs = this.getInputData();
	const ids = inputs.map((_, itemIndex) => idParameter(this, itemIndex, documentLocator));
	const waitTill = limitOf(this);
	const itemOf = new Map(ids.map((id, itemIndex) => [id, itemIndex] as const).reverse());
	const request = requestOf(this, [...itemOf.keys()], waitTill);
	saveWait(this, { key: request.key, documents: ids, ended: [] });
	const tellTriggers = await registerWithTriggers(this, request);
	try {
		await proveWaitingUrl(this, request.resume);
		const documents = await readAll(this, itemOf);
		const ended = [...documents.values()].filter(hasEnded);
		if (ended.length === itemOf.size) {
			await tellTriggers([]);
			return ids.map((id) => outputItems(documents.get(id) ?? []));
		}
		if (ended.length > 0) {
			saveWait(this, { key: request.key, documents: ids, ended });
			await tellTriggers([...documents.values()].filter((document) => !hasEnded(document)).map(({ id }) => id));
		}
	} catch (error) {
		await tellTriggers([]);
		throw asThrown(error);
	}
	await this.putExecutionToWait(waitTill);
	return inputs.map((input) => [input]);
}

/** @throws NodeApiError also where one of them does not exist */
async function readAll(context: IExecuteFunctions, itemOf: ReadonlyMap<string, number>) {
	const documents = new Map<string, Document>();
	for (const [id, one] of await readDocuments(context, itemOf)) {
		if (one instanceof NodeApiError) throw one;
		documents.set(id, one);
	}
	return documents;
}

/** @throws NodeOperationError where there is no execution that n8n could wake */
function requestOf(context: IExecuteFunctions, documents: string[], waitTill: Date): WaitRequest {
	const refuse = (message: string, remedy: string): never => {
		throw new NodeOperationError(context.getNode(), message, { itemIndex: 0, description: remedy });
	};
	if (isTool(context) || context.getNode().type.endsWith('Tool')) {
		refuse(
			'A tool cannot wait for documents',
			'Use Wait for Completion in a workflow, or give the model Document > Get.',
		);
	}
	const resume = String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
	const execution = context.getExecutionId();
	if (!execution || !URL.canParse(resume)) {
		refuse('This execution cannot wait: n8n does not save it', 'Run the workflow itself, not a single step of it.');
	}
	return {
		key: randomUUID(),
		execution,
		resume,
		instance: context.getInstanceId(),
		documents,
		until: waitTill < WAIT_INDEFINITELY ? waitTill.getTime() : undefined,
	};
}
