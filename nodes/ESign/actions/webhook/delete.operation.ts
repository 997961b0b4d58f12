import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { apiRequest } from '../../client';
import { idParameter, webhookLocator } from '../../parameters/locators';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { isRetry } from '../../runs/line';

export const option = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete webhook (final)',
	description:
		'Remove a webhook endpoint and its delivery history permanently. An active eSign Trigger that uses it stops receiving events, so do this only when explicitly asked to.',
} as const satisfies OperationOption;

export const once = true;

export const description: INodeProperties[] = [
	webhookLocator,
	{
		displayName:
			'This is permanent and also deletes the delivery log. If an active eSign Trigger uses this endpoint, it receives nothing until its workflow is published again.',
		name: 'deleteNotice',
		type: 'notice',
		default: '',
	},
];

/** DELETE /webhooks/{id} */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const id = idParameter(this, itemIndex, webhookLocator);
	const request = { path: { id }, itemIndex, mayBeDone: isRetry(this) };
	const gone = await apiRequest(this, 'DELETE /webhooks/{id}', request);
	return outputItems(gone);
}
