import type { Resource } from '../operation';
import * as getAll from './getAll.operation';
import * as replay from './replay.operation';
import * as replayFailed from './replayFailed.operation';

export const webhookDelivery = {
	option: {
		name: 'Webhook Delivery',
		value: 'webhookDelivery',
		description: 'An attempt to deliver an event to a webhook endpoint',
	},
	operations: [getAll, replay, replayFailed],
	defaultOperation: 'getAll',
} as const satisfies Resource;
