import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { apiRequest } from '../../client';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { paging, wantedCount } from '../../parameters/returnAll';

export const option = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many webhooks',
	description: 'List the webhook endpoints of the mode of the API key, newest first, with their events and status',
} as const satisfies OperationOption;

export const description: INodeProperties[] = paging;

/** GET /webhooks, which has no paging: the limit is applied here. */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const count = wantedCount(this, itemIndex);
	const { data } = await apiRequest(this, 'GET /webhooks', { itemIndex });
	return outputItems(data.slice(0, count));
}
