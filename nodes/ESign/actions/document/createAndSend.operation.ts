import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { hintAtTestKey } from '../hints';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { sendNotice } from '../../parameters/sending';
import { makeDocument, newDocumentProperties, requestsFor } from './newDocument';

export const option = {
	name: 'Create and Send',
	value: 'createAndSend',
	action: 'Create and send document (billed)',
	description:
		'Make a document from PDF, Word or image files with recipients and signature fields, and send it out for signature. Recipients are asked to sign a legally binding document and a live key is billed for it, so do this only when asked to. For a contract that exists as a template, use Send of Template.',
} as const satisfies OperationOption;

export const once = true;

export function requests(this: IExecuteFunctions, itemIndex: number): number {
	return requestsFor(this, itemIndex, true);
}

export const description: INodeProperties[] = [sendNotice, ...newDocumentProperties];

/** POST /files and POST /documents, PUT fields as needed, then POST /documents/{id}/send. */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const sent = await makeDocument(this, itemIndex, { send: true });
	await hintAtTestKey(this);
	return outputItems(sent);
}
