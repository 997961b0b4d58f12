import { simplify, templateLinkLocator, templateOfLink, type Item } from '../../operation';
import { linkOutput } from './linkOutput';

export const option = {
	name: 'Get',
	value: 'get',
	action: 'Get template link',
	description: 'Retrieve one public link: its URL, its signers and how often it has been used',
};

export const description = [templateOfLink, templateLinkLocator, simplify];

export const endpoint = 'GET /template-links/{linkId}';

export async function execute(item: Item) {
	const path = { linkId: item.read(templateLinkLocator) };
	const toOutput = linkOutput(item);
	return toOutput(await item.call(endpoint, { path }));
}
