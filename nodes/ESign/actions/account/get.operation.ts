import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { apiRequest } from '../../client';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';

export const option = {
	name: 'Get',
	value: 'get',
	action: 'Get account',
	description:
		'Retrieve the workspace of the API key: its plan, whether the key is LIVE or TEST, and the documents used and billed in this period',
} as const satisfies OperationOption;

export const description: INodeProperties[] = [];

/** GET /account */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	return outputItems(await apiRequest(this, 'GET /account', { itemIndex }));
}
