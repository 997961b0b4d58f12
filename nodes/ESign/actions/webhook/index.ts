import type { Resource } from '../operation';
import * as create from './create.operation';
import * as deleteWebhook from './delete.operation';
import * as getAll from './getAll.operation';

export const webhook = {
	option: { name: 'Webhook', value: 'webhook', description: 'A URL that the service sends events to' },
	operations: [create, deleteWebhook, getAll],
	defaultOperation: 'getAll',
} as const satisfies Resource;
