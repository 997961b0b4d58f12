import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { paging, wantedCount } from '../../parameters/returnAll';
import { apiRequestAll } from '../../client';

export const option = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many templates',
	description: 'List the published templates of the mode of the API key with their roles',
} as const satisfies OperationOption;

export const description: INodeProperties[] = paging;

/** GET /templates */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	return outputItems(await apiRequestAll(this, 'GET /templates', { limit: wantedCount(this, itemIndex), itemIndex }));
}
