export const option = {
	name: 'Webhook Delivery',
	value: 'webhookDelivery',
	description: 'An attempt to deliver an event to a webhook endpoint',
};

export const defaultOperation = 'getAll';

export * as getAll from './getAll.operation';
export * as replay from './replay.operation';
export * as replayFailed from './replayFailed.operation';
