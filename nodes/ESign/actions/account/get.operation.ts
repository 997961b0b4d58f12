import type { Item } from '../../operation';

export const option = {
	name: 'Get',
	value: 'get',
	action: 'Get account',
	description:
		'Retrieve the workspace of the API key: its plan, whether the key is LIVE or TEST, and the documents used and billed in this period',
};

export const description = [];

export const endpoint = 'GET /account';

export async function execute(item: Item) {
	return await item.call(endpoint);
}
