import { randomUUID } from 'crypto';
import {
	NodeOperationError,
	WAIT_INDEFINITELY,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import { hasEnded } from '../../service/ending';
import { asThrown, type Document, type WaitRequest } from '../../transport';
import { isTool } from '../once/asked';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { documentLocator, idParameter } from '../parameters/locators';
import { arrange } from './waiting/arrange';
import { keep } from './waiting/kept';
import { readLimit, waitOptions } from './waiting/limitWaitTime';
import { readTogether } from './waiting/readTogether';
import { confirm, tellTrigger } from './waiting/tellTrigger';

export const option = {
	name: 'Wait for Completion',
	value: 'wait',
	action: 'Wait for completion of documents',
	description:
		'Pause the execution until the documents of all input items are completed, declined, cancelled or expired. Needs a published eSign Trigger with these four events.',
	// A model cannot wait for weeks; an execution that it runs a tool in is not put to sleep.
	displayOptions: { hide: { '@tool': [true] } },
} satisfies OperationOption;

export const description: INodeProperties[] = [documentLocator, waitOptions];

/**
 * GET /webhooks and GET /documents/{id}; docs/architecture.md section 8. The trigger is told first and the documents are
 * read afterwards, so that no end is missed in between.
 */
export async function executeAll(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const inputs = this.getInputData();
	const ids = inputs.map((_, itemIndex) => idParameter(this, itemIndex, documentLocator));
	const waitTill = readLimit(this);
	const itemOf = new Map(ids.map((id, itemIndex) => [id, itemIndex] as const).reverse());
	const request = requestOf(this, [...itemOf.keys()], waitTill);
	const takers = await arrange(this, request);
	const forget = async () =>
		void (await Promise.all(takers.map(async (url) => await tellTrigger(this, url, { ...request, documents: [] }))));

	const documents = new Map<string, Document>();
	await readTogether(this, itemOf, {}, documents).catch(async (error: unknown) => {
		await forget();
		throw asThrown(error);
	});
	const ended = [...documents.values()].filter((document) => itemOf.has(document.id) && hasEnded(document));
	if (ended.length === itemOf.size) {
		await forget();
		return ids.map((id) => outputItems(documents.get(id) ?? []));
	}

	const open = [...itemOf.keys()].filter((id) => !ended.some((document) => document.id === id));
	if (!(await confirm(this, takers, { ...request, documents: open }))) {
		this.logger.warn('eSign: the trigger has not saved yet that this execution waits; it does so within the hour', {
			executionId: request.execution,
		});
	}
	keep(this, { key: request.key, documents: ids, ended });
	await this.putExecutionToWait(waitTill);
	return inputs.map((input) => [input]);
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
	const resumeUrl = String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
	const execution = context.getExecutionId();
	if (!execution || !URL.canParse(resumeUrl)) {
		refuse('This execution cannot wait: n8n does not save it', 'Run the workflow itself, not a single step of it.');
	}
	return {
		key: randomUUID(),
		execution,
		resumeUrl,
		instance: context.getInstanceId(),
		documents,
		until: waitTill < WAIT_INDEFINITELY ? waitTill.getTime() : undefined,
	};
}
