import { templateLocator, type Item } from '../../operation';

export const option = {
	name: 'Get',
	value: 'get',
	action: 'Get template',
	description:
		'Retrieve one template: the roles that need a recipient and the keys of the fields that can be prefilled. Do this before Send if they are not known.',
};

export const description = [templateLocator];

export const endpoint = 'GET /templates/{id}';

export async function execute(item: Item) {
	return await item.call(endpoint, { path: { id: item.read(templateLocator) } });
}
