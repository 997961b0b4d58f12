import { ApiError } from '../http/errors';
import type { CreateWebhookBody } from '../schemas/webhookSchemas';
import type { Delivery, WebhookEndpoint } from '../state/entities';
import { newId, randomText } from '../state/ids';
import type { Mode } from '../state/vocabulary';
import type { World } from '../state/world';

/** docs/service.md section 8. */
const MAX_ENDPOINTS = 5;
const SECRET_LENGTH = 40;

/** An endpoint inherits the mode of the key that created it. */
export function createEndpoint(
	world: World,
	mode: Mode,
	{ url, events }: CreateWebhookBody,
): WebhookEndpoint {
	const { endpoints } = world.state;
	if ([...endpoints.newestFirst(mode)].length >= MAX_ENDPOINTS) {
		throw new ApiError('webhook_endpoint_limit_reached', { extra: { cap: MAX_ENDPOINTS } });
	}
	return endpoints.add({
		id: newId('whk'),
		sequence: endpoints.nextSequence(),
		mode,
		url,
		events: [...new Set(events)],
		status: 'ACTIVE',
		secret: `whsec_${randomText(SECRET_LENGTH)}`,
		createdAt: world.timeline.date(),
		failuresInARow: 0,
		deliveries: [],
	});
}

/** The endpoint in this mode, or 404 webhook_endpoint_not_found. */
export function requireEndpoint(world: World, endpointId: string, mode?: Mode): WebhookEndpoint {
	const endpoint = world.state.endpoints.find(endpointId, mode);
	if (!endpoint) throw new ApiError('webhook_endpoint_not_found');
	return endpoint;
}

/** An attempt in this endpoint's log, or 404 delivery_not_found. */
export function requireDelivery(endpoint: WebhookEndpoint, deliveryId: string): Delivery {
	const delivery = endpoint.deliveries.find(({ id }) => id === deliveryId);
	if (!delivery) throw new ApiError('delivery_not_found');
	return delivery;
}

export function latestDeliveries(endpoint: WebhookEndpoint, limit: number): Delivery[] {
	return endpoint.deliveries.slice(-limit).reverse();
}
