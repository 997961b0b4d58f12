import type { IDataObject } from 'n8n-workflow';
import type { WebhookDelivery } from '../../client';
import { limit, simplify, webhookLocator, type Item } from '../../operation';
import { MAX_ENTRIES } from '../../service/limits';

export const option = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many webhook deliveries',
	description:
		'List the latest attempts to deliver events to a webhook endpoint, successful or not, at most 100',
};

/** The log takes a limit and no cursor: there is no second page (docs/service.md section 4). */
const latest = limit.with({ hint: 'The service returns at most 100', max: MAX_ENTRIES });

export const description = [
	webhookLocator,
	latest,
	simplify.with({ hint: 'If off, the field delivery contains the record as the API sent it' }),
];

export const endpoint = 'GET /webhooks/{id}/deliveries';

export async function execute(item: Item) {
	const id = item.read(webhookLocator);
	const isSimple = item.read(simplify) !== false;
	const query = { limit: item.read(latest) };
	const { data } = await item.call(endpoint, { path: { id }, query });
	// Under a name of its own, because n8n takes an item with a value under `error` for a failure of
	// the node: Retry On Fail would ask again, and an error output would get the item.
	return data.map((delivery) => (isSimple ? simpleDelivery(delivery) : { delivery }));
}

/**
 * Of a record of the delivery log (docs/service.md section 2): what was to be delivered, and what
 * became of it.
 */
function simpleDelivery({ error, payload, created_at, ...delivery }: WebhookDelivery): IDataObject {
	const { id, event, event_id, document_id, attempt, succeeded, response_status } = delivery;
	const document_title = payload?.document?.title ?? null;
	return {
		id,
		event,
		event_id,
		document_id,
		document_title,
		attempt,
		succeeded,
		response_status,
		delivery_error: error,
		created_at,
	};
}
