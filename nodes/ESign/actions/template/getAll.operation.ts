import { paging, wantedCount, type Item } from '../../operation';

export const option = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many templates',
	description: 'List the published templates of the mode of the API key with their roles',
};

export const description = paging;

export const endpoint = 'GET /templates';

export async function execute(item: Item) {
	return await item.list(endpoint, { limit: wantedCount(item) });
}
