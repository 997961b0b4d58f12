import { webhookLocator, type Item } from '../../operation';
import { missedEvents } from '../../service/deliveryLog';
import { MAX_ENTRIES } from '../../service/limits';

export const option = {
	name: 'Replay Failed',
	value: 'replayFailed',
	action: 'Replay failed webhook deliveries',
	description:
		'Send every event again that no attempt has delivered to a webhook endpoint, oldest first. Looks at the latest 100 attempts, and returns one item per event.',
};

export const description = [webhookLocator];

export const endpoint = [
	'POST /webhooks/{id}/deliveries/{deliveryId}/replay',
	'GET /webhooks/{id}/deliveries',
] as const;

export async function execute(item: Item) {
	const [replay, list] = endpoint;
	const id = item.read(webhookLocator);
	const log = await item.call(list, { path: { id }, query: { limit: MAX_ENTRIES } });
	const replays: object[] = [];
	for (const { id: deliveryId, event, event_id, document_id } of missedEvents(log.data)) {
		const { replayed } = await item.call(replay, { path: { id, deliveryId } });
		replays.push({ event_id, event, document_id, delivery_id: deliveryId, replayed });
	}
	return replays;
}
