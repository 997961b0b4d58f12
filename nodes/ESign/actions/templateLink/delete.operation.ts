import { notice, templateLinkLocator, templateOfLink, type Item } from '../../operation';

export const option = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete template link (final)',
	description: 'Remove a public link permanently. Documents created through it remain.',
};

export const description = [
	templateOfLink,
	templateLinkLocator,
	notice(
		'deleteNotice',
		'This is permanent: the URL stops working. Documents that were created through it are unaffected.',
	),
];

export const endpoint = 'DELETE /template-links/{linkId}';

export async function execute(item: Item) {
	return await item.call(endpoint, { path: { linkId: item.read(templateLinkLocator) } });
}
