import { notice, webhookLocator, type Item } from '../../parameters';

export const option = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete webhook (final)',
	description:
		'Remove a webhook endpoint and its delivery history permanently. An active eSign Trigger that uses it stops receiving events, so do this only when explicitly asked to.',
};

export const description = [
	webhookLocator,
	notice(
		'deleteNotice',
		'This is permanent and also deletes the delivery log. If an active eSign Trigger uses this endpoint, it receives nothing until its workflow is published again.',
	),
];

export const endpoint = 'DELETE /webhooks/{id}';

export async function execute(item: Item) {
	return await item.call(endpoint, { path: { id: item.read(webhookLocator) } });
}
