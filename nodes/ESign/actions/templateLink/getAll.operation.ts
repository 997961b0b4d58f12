import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { idParameter, templateLocator } from '../../parameters/locators';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { paging, wantedCount } from '../../parameters/returnAll';
import { simplify, wantsSimple } from '../../parameters/simplify';
import { apiRequest } from '../../client';
import { simpleLink } from './simpleLink';

export const option = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many template links',
	description: 'List the public links of one template, newest first',
} as const satisfies OperationOption;

export const description: INodeProperties[] = [templateLocator, ...paging, simplify];

/** GET /templates/{id}/links, which has no paging: the limit is applied here. */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const id = idParameter(this, itemIndex, templateLocator);
	const simple = wantsSimple(this, itemIndex);
	const count = wantedCount(this, itemIndex);
	const { data } = await apiRequest(this, 'GET /templates/{id}/links', { path: { id }, itemIndex });
	const links = data.slice(0, count);
	return outputItems(simple ? links.map(simpleLink) : links);
}
