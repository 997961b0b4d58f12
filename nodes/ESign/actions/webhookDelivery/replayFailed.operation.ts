import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { idParameter, webhookLocator } from '../../parameters/locators';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { missedEvents } from '../../service/deliveryLog';
import { MOST_ENTRIES } from '../../service/limits';
import { apiRequest } from '../../client';

export const option = {
	name: 'Replay Failed',
	value: 'replayFailed',
	action: 'Replay failed webhook deliveries',
	description:
		'Send every event again that no attempt has delivered to a webhook endpoint, oldest first, each once. Looks at the latest 100 attempts; returns one item per event, and none if everything was delivered.',
} as const satisfies OperationOption;

export const once = true;

export const description: INodeProperties[] = [webhookLocator];

/** GET /webhooks/{id}/deliveries, then one replay per event that never arrived. */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const webhookId = idParameter(this, itemIndex, webhookLocator);
	const request = { path: { id: webhookId }, query: { limit: MOST_ENTRIES }, itemIndex };
	const log = await apiRequest(this, 'GET /webhooks/{id}/deliveries', request);
	const replays: object[] = [];
	for (const { id: deliveryId, event, event_id, document_id } of missedEvents(log.data)) {
		const path = { id: webhookId, deliveryId };
		const replay = 'POST /webhooks/{id}/deliveries/{deliveryId}/replay';
		const { replayed } = await apiRequest(this, replay, { path, itemIndex });
		replays.push({ event_id, event, document_id, delivery_id: deliveryId, replayed });
	}
	return outputItems(replays);
}
