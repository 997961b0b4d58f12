import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { apiRequest } from '../../client';
import { hintAtTestKey } from '../hints';
import { documentLocator, idParameter } from '../../parameters/locators';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { isRetry } from '../../runs/line';
import { sendNotice } from '../../parameters/sending';
import { saidOfDocument } from './saidOfDocument';

export const option = {
	name: 'Send',
	value: 'send',
	action: 'Send document by email (billed)',
	description:
		'Send a draft that exists already out for signature. Every signer needs a signature field. Recipients are asked to sign a legally binding document and a live key is billed for it, so do this only when asked to. To make a new document, use Create and Send.',
} as const satisfies OperationOption;

export const once = true;

export const description: INodeProperties[] = [documentLocator, sendNotice];

/** POST /documents/{id}/send */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const id = idParameter(this, itemIndex, documentLocator);
	const request = { path: { id }, itemIndex, mayBeDone: isRetry(this) };
	const send = async () => await apiRequest(this, 'POST /documents/{id}/send', request);
	const sent = await saidOfDocument(this, itemIndex, id, send);
	await hintAtTestKey(this);
	return outputItems(sent);
}
