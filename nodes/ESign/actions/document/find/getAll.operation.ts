import { paging, wantedCount, type Item } from '../../../operation/parameters';
import { withWaitingFor } from '../get.operation';
import { filters, findDocuments, readFilters } from './filters';

export const option = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many documents',
	description:
		'List documents of the mode of the API key: all of them, or those with a status, a date, a title or a recipient',
};

export const description = [...paging, filters];

export const endpoint = 'GET /documents';

export async function execute(item: Item) {
	return (await findDocuments(item, readFilters(item), wantedCount(item))).map(withWaitingFor);
}
