import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { apiRequest } from '../../client';
import { documentLocator, idParameter } from '../../parameters/locators';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';

export const option = {
	name: 'Get',
	value: 'get',
	action: 'Get document',
	description:
		'Retrieve one document: its status (draft, in_progress, completed, declined, cancelled, expired) and the status of each recipient',
} as const satisfies OperationOption;

export const description: INodeProperties[] = [documentLocator];

/** GET /documents/{id} */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const id = idParameter(this, itemIndex, documentLocator);
	return outputItems(await apiRequest(this, 'GET /documents/{id}', { path: { id }, itemIndex }));
}
