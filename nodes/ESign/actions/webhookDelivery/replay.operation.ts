import { deliveryLocator, webhookLocator, type Item } from '../../operation';

export const option = {
	name: 'Replay',
	value: 'replay',
	action: 'Replay webhook delivery',
	description:
		'Send the payload of one delivery again, unchanged. The receiver acts on it a second time unless it knows the event already.',
};

export const description = [webhookLocator, deliveryLocator];

export const endpoint = 'POST /webhooks/{id}/deliveries/{deliveryId}/replay';

export async function execute(item: Item) {
	const path = { id: item.read(webhookLocator), deliveryId: item.read(deliveryLocator) };
	return await item.call(endpoint, { path });
}
