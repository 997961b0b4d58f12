import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { idParameter, templateLinkLocator, templateOfLink } from '../../parameters/locators';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { simplify, wantsSimple } from '../../parameters/simplify';
import { apiRequest } from '../../client';
import { simpleLink } from './simpleLink';

export const option = {
	name: 'Get',
	value: 'get',
	action: 'Get template link',
	description: 'Retrieve one public link: its URL, its signers and how often it has been used',
} as const satisfies OperationOption;

export const description: INodeProperties[] = [templateOfLink, templateLinkLocator, simplify];

/** GET /template-links/{linkId} */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const path = { linkId: idParameter(this, itemIndex, templateLinkLocator) };
	const simple = wantsSimple(this, itemIndex);
	const link = await apiRequest(this, 'GET /template-links/{linkId}', { path, itemIndex });
	return outputItems(simple ? simpleLink(link) : link);
}
