export const option = {
	name: 'Webhook',
	value: 'webhook',
	description: 'A URL that the service sends events to',
};

export const defaultOperation = 'getAll';

export * as create from './create.operation';
export * as deleteWebhook from './delete.operation';
export * as getAll from './getAll.operation';
