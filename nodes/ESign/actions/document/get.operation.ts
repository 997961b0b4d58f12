import { documentLocator, withWaitingFor, type Item } from '../../operation';

export const option = {
	name: 'Get',
	value: 'get',
	action: 'Get document',
	description:
		'Retrieve one document: its status, the status of each recipient, and in waiting_for who was asked and has not signed',
};

export const description = [documentLocator];

export const endpoint = 'GET /documents/{id}';

export async function execute(item: Item) {
	return withWaitingFor(await item.call(endpoint, { path: { id: item.read(documentLocator) } }));
}
