import type { Item } from '../../parameters/item';
import { webhookLocator } from '../../parameters/locators';
import { limit, readLimit, simplify } from '../../parameters/paging';
import { MOST_ENTRIES } from '../../service/limits';
import type { OperationOption } from '../operation';
import { simpleDelivery, wholeDelivery } from './deliveryOutput';

export const option = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many webhook deliveries',
	description: 'List the latest attempts to deliver events to a webhook endpoint, successful or not, at most 100',
} as const satisfies OperationOption;

export const description = [
	webhookLocator,
	limit.with({ hint: 'The service returns at most 100' }),
	simplify.with({ hint: 'If off, the field delivery contains the record as the API sent it' }),
];

export const endpoint = 'GET /webhooks/{id}/deliveries';

export async function execute(item: Item) {
	const id = item.read(webhookLocator);
	const isSimple = item.read(simplify) !== false;
	// The log takes a limit and no cursor: there is no second page (docs/service.md section 4).
	const query = { limit: readLimit(item, MOST_ENTRIES) };
	item.check();
	const { data } = await item.call(endpoint, { path: { id }, query });
	return data.map(isSimple ? simpleDelivery : wholeDelivery);
}
