import { paging, wantedCount, type Item } from '../../operation';

export const option = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many webhooks',
	description:
		'List the webhook endpoints of the mode of the API key, newest first, with their events and status',
};

export const description = paging;

export const endpoint = 'GET /webhooks';

/** The list has no paging: the limit is applied here. */
export async function execute(item: Item) {
	const count = wantedCount(item);
	const { data } = await item.call(endpoint);
	return data.slice(0, count);
}
