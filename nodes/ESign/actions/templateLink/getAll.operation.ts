import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { idParameter, templateLocator } from '../parameters/locators';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { paging, wantedCount } from '../parameters/returnAll';
import { apiRequest } from '../../transport';

export const option = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many template links',
	description: 'List the public links of one template, newest first',
} as const satisfies OperationOption;

export const description: INodeProperties[] = [templateLocator, ...paging];

/** GET /templates/{id}/links, which has no paging: the limit is applied here. */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const id = idParameter(this, itemIndex, templateLocator);
	const count = wantedCount(this, itemIndex);
	const { data } = await apiRequest(this, 'GET /templates/{id}/links', { path: { id }, itemIndex });
	return outputItems(data.slice(0, count));
}
