import { route } from '../http/route';
import { createdEndpointWire, deliveryWire, endpointWire } from './wire';
import { noBody } from '../schemas/documentRequests';
import { PAGE_SIZE, deliveriesQuery, listOf } from '../schemas/lists';
import { deletedSchema } from '../schemas/templateAnswers';
import {
	createWebhookBody,
	createdEndpointSchema,
	deliverySchema,
	endpointSchema,
	replaySchema,
} from '../schemas/webhookSchemas';
import type { DeliveryQueue } from '../webhooks/deliveries';
import {
	createEndpoint,
	latestDeliveries,
	requireDelivery,
	requireEndpoint,
} from '../webhooks/endpoints';
import type { World } from '../state/world';

const tag = 'Webhooks';

/** No scope is stated for these: any valid key will do (docs/service.md section 10, 2). */
export function webhookRoutes(world: World, queue: DeliveryQueue) {
	return [
		route({
			method: 'POST',
			path: '/webhooks',
			operationId: 'createWebhook',
			scope: null,
			summary:
				'Creates a webhook endpoint, and answers with its signing secret, which no other answer carries',
			tag,
			body: createWebhookBody,
			status: 201,
			response: createdEndpointSchema,
			errors: ['webhook_endpoint_limit_reached'],
			handle: ({ mode, body }) => createdEndpointWire(createEndpoint(world, mode, body)),
		}),
		route({
			method: 'GET',
			path: '/webhooks',
			operationId: 'listWebhooks',
			scope: null,
			summary: 'Lists the webhook endpoints of the key’s mode, newest first',
			tag,
			status: 200,
			response: listOf(endpointSchema, 'WebhookEndpointList'),
			errors: [],
			handle: ({ mode }) => ({
				data: [...world.state.endpoints.newestFirst(mode)].map(endpointWire),
			}),
		}),
		route({
			method: 'DELETE',
			path: '/webhooks/{id}',
			operationId: 'deleteWebhook',
			scope: null,
			summary: 'Deletes a webhook endpoint and its delivery history for good',
			tag,
			status: 200,
			response: deletedSchema,
			errors: ['webhook_endpoint_not_found'],
			handle: ({ mode, path }) => {
				const found = requireEndpoint(world, path.id ?? '', mode);
				world.state.endpoints.remove(found);
				return { id: found.id, deleted: true };
			},
		}),
		route({
			method: 'GET',
			path: '/webhooks/{id}/deliveries',
			operationId: 'listWebhookDeliveries',
			scope: null,
			summary: 'Lists the latest attempts to deliver to an endpoint, newest first',
			tag,
			query: deliveriesQuery,
			status: 200,
			response: listOf(deliverySchema, 'WebhookDeliveryList'),
			errors: ['webhook_endpoint_not_found'],
			handle: ({ mode, path, query }) => {
				const found = requireEndpoint(world, path.id ?? '', mode);
				return { data: latestDeliveries(found, query.limit ?? PAGE_SIZE).map(deliveryWire) };
			},
		}),
		route({
			method: 'POST',
			path: '/webhooks/{id}/deliveries/{deliveryId}/replay',
			operationId: 'replayWebhookDelivery',
			scope: null,
			summary: 'Sends a stored payload again, unchanged',
			tag,
			body: noBody,
			bodyOptional: true,
			status: 200,
			response: replaySchema,
			errors: ['webhook_endpoint_not_found', 'delivery_not_found'],
			handle: ({ mode, path }) => {
				const found = requireEndpoint(world, path.id ?? '', mode);
				const delivery = requireDelivery(found, path.deliveryId ?? '');
				return { replayed: queue.replay(found, delivery), event_id: delivery.eventId };
			},
		}),
	];
}
