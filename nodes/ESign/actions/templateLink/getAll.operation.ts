import { paging, simplify, templateLocator, wantedCount, type Item } from '../../operation';
import { linkOutput } from './linkOutput';

export const option = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many template links',
	description: 'List the public links of one template, newest first',
};

export const description = [templateLocator, ...paging, simplify];

export const endpoint = 'GET /templates/{id}/links';

/** The list has no paging: the limit is applied here. */
export async function execute(item: Item) {
	const path = { id: item.read(templateLocator) };
	const toOutput = linkOutput(item);
	const count = wantedCount(item);
	const { data } = await item.call(endpoint, { path });
	return data.slice(0, count).map(toOutput);
}
