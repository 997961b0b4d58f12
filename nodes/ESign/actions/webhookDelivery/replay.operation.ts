import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { deliveryLocator, idParameter, webhookLocator } from '../../parameters/locators';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { apiRequest } from '../../client';

export const option = {
	name: 'Replay',
	value: 'replay',
	action: 'Replay webhook delivery',
	description:
		'Send the payload of one delivery again, unchanged. The receiver acts on it a second time unless it knows the event already, so do this only when asked to.',
} as const satisfies OperationOption;

export const once = true;

export const description: INodeProperties[] = [webhookLocator, deliveryLocator];

/** POST /webhooks/{id}/deliveries/{deliveryId}/replay */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const path = {
		id: idParameter(this, itemIndex, webhookLocator),
		deliveryId: idParameter(this, itemIndex, deliveryLocator),
	};
	return outputItems(await apiRequest(this, 'POST /webhooks/{id}/deliveries/{deliveryId}/replay', { path, itemIndex }));
}
