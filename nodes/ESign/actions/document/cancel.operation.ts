import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { apiRequest } from '../../client';
import { documentLocator, idParameter } from '../../parameters/locators';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { isRetry } from '../../runs/line';
import { saidOfDocument } from './saidOfDocument';

export const option = {
	name: 'Cancel',
	value: 'cancel',
	action: 'Cancel document (final)',
	description:
		'Withdraw a document that is out for signature (status in_progress). It cannot be resumed or signed afterwards, so do this only when explicitly asked to.',
} as const satisfies OperationOption;

export const once = true;

export const description: INodeProperties[] = [
	documentLocator,
	{
		displayName: 'Cancelling is final: nobody can sign the document any more, and it cannot be sent again.',
		name: 'cancelNotice',
		type: 'notice',
		default: '',
	},
];

/** POST /documents/{id}/cancel */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const id = idParameter(this, itemIndex, documentLocator);
	const request = { path: { id }, itemIndex, mayBeDone: isRetry(this) };
	const cancel = async () => await apiRequest(this, 'POST /documents/{id}/cancel', request);
	return outputItems(await saidOfDocument(this, itemIndex, id, cancel));
}
