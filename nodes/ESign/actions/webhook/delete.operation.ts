import { notice, webhookLocator, type Item } from '../../operation';

export const option = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete webhook (final)',
	description:
		'Remove a webhook endpoint and its delivery history permanently. A published eSign Trigger that uses it misses events until it has registered another.',
};

export const description = [
	webhookLocator,
	notice(
		'deleteNotice',
		'This is permanent and also deletes the delivery log. A published eSign Trigger registers another within three minutes.',
	),
];

export const endpoint = 'DELETE /webhooks/{id}';

export async function execute(item: Item) {
	return await item.call(endpoint, { path: { id: item.read(webhookLocator) } });
}
