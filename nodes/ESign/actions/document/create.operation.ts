import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { hintAtDraft } from '../hints';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { makeDocument, newDocumentProperties, requestsFor } from './newDocument';

export const option = {
	name: 'Create Draft',
	value: 'create',
	action: 'Create draft document',
	description:
		'Make a document from PDF, Word or image files with recipients and signature fields, and keep it as a draft: nobody is asked to sign it. Use Send of Document to send it later. For a contract that exists as a template, use Send of Template with Send off.',
} as const satisfies OperationOption;

export const once = true;

export function requests(this: IExecuteFunctions, itemIndex: number): number {
	return requestsFor(this, itemIndex, false);
}

export const description = newDocumentProperties;

/** POST /files and POST /documents, with PUT fields as needed. */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const draft = await makeDocument(this, itemIndex, { send: false });
	hintAtDraft(this, draft);
	return outputItems(draft);
}
