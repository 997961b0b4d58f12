import { notice, templateLinkLocator, templateOfLink, type Item } from '../../operation';

export const option = {
	name: 'Rotate',
	value: 'rotate',
	action: 'Rotate template link (old URL ends)',
	description:
		'Give a public link a new URL. The old URL stops working at once wherever it was published.',
};

export const description = [
	templateOfLink,
	templateLinkLocator,
	notice(
		'rotateNotice',
		'The current URL and its embed URL stop working at once, wherever they were published.',
	),
];

export const endpoint = 'POST /template-links/{linkId}/rotate';

export async function execute(item: Item) {
	return await item.call(endpoint, { path: { linkId: item.read(templateLinkLocator) } });
}
