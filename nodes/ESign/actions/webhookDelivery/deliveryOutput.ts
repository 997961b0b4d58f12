import type { IDataObject } from 'n8n-workflow';
import type { WebhookDelivery } from '../../client';

/** Of a record of the delivery log (docs/service.md section 2): what was to be delivered, and what became of it. */
export function simpleDelivery({ error, payload, ...delivery }: WebhookDelivery): IDataObject {
	const { id, event, event_id, document_id, attempt, succeeded, response_status, created_at } = delivery;
	const about = { id, event, event_id, document_id, document_title: payload?.document?.title ?? null };
	return { ...about, attempt, succeeded, response_status, delivery_error: error, created_at };
}

/**
 * A record exactly as the service sent it. It stands under a name of its own, because n8n takes an item with a value under
 * `error` for a failure of the node: Retry On Fail would ask again, and an error output would get the item.
 */
export function wholeDelivery(delivery: WebhookDelivery): IDataObject {
	return { delivery };
}
