import { limit, simplify, webhookLocator, type Item } from '../../parameters';
import { MOST_ENTRIES } from '../../service/limits';
import { simpleDelivery, wholeDelivery } from './deliveryOutput';

export const option = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many webhook deliveries',
	description: 'List the latest attempts to deliver events to a webhook endpoint, successful or not, at most 100',
};

/** The log takes a limit and no cursor: there is no second page (docs/service.md section 4). */
const latest = limit.with({ hint: 'The service returns at most 100', max: MOST_ENTRIES });

export const description = [
	webhookLocator,
	latest,
	simplify.with({ hint: 'If off, the field delivery contains the record as the API sent it' }),
];

export const endpoint = 'GET /webhooks/{id}/deliveries';

export async function execute(item: Item) {
	const id = item.read(webhookLocator);
	const isSimple = item.read(simplify) !== false;
	const query = { limit: item.read(latest) };
	item.check();
	const { data } = await item.call(endpoint, { path: { id }, query });
	return data.map(isSimple ? simpleDelivery : wholeDelivery);
}
