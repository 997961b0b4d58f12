import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { idParameter, templateLocator } from '../../parameters/locators';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { apiRequest } from '../../client';

export const option = {
	name: 'Get',
	value: 'get',
	action: 'Get template',
	description:
		'Retrieve one template: the roles that need a recipient and the keys of the fields that can be prefilled. Do this before Send if they are not known.',
} as const satisfies OperationOption;

export const description: INodeProperties[] = [templateLocator];

/** GET /templates/{id} */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const id = idParameter(this, itemIndex, templateLocator);
	return outputItems(await apiRequest(this, 'GET /templates/{id}', { path: { id }, itemIndex }));
}
