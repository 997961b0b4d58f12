import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { idParameter, webhookLocator } from '../../parameters/locators';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { limit, limitParameter } from '../../parameters/returnAll';
import { simplify, wantsSimple } from '../../parameters/simplify';
import { MOST_ENTRIES } from '../../service/limits';
import { apiRequest } from '../../client';
import { simpleDelivery, wholeDelivery } from './deliveryOutput';

export const option = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many webhook deliveries',
	description: 'List the latest attempts to deliver events to a webhook endpoint, successful or not, at most 100',
} as const satisfies OperationOption;

export const description: INodeProperties[] = [
	webhookLocator,
	{ ...limit, hint: 'The service returns at most 100' },
	{ ...simplify, hint: 'If off, the field delivery contains the record as the API sent it' },
];

/** GET /webhooks/{id}/deliveries */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const id = idParameter(this, itemIndex, webhookLocator);
	const simple = wantsSimple(this, itemIndex);
	// The log takes a limit and no cursor: there is no second page (docs/service.md section 4).
	const query = { limit: limitParameter(this, itemIndex, MOST_ENTRIES) };
	const { data } = await apiRequest(this, 'GET /webhooks/{id}/deliveries', { path: { id }, query, itemIndex });
	return outputItems(data.map(simple ? simpleDelivery : wholeDelivery));
}
