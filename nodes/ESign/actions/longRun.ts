import { client, runOf } from '../client';
import type { Item } from '../parameters';
import type { Operation } from './operation';

/**
 * Says how long a run takes whose items need more requests than the service lets through in a minute (docs/service.md
 * section 8). Called after an item is done: its answer has named the limit. Where none is named, nothing slows the run down.
 *
 * n8n shows hints when the node is through. A manual run is told at once too, in the console of the browser.
 */
export async function announceLongRun(item: Item, { requests }: Operation): Promise<void> {
	const { context } = item;
	const run = runOf(context);
	const items = context.getInputData().length;
	if (items < 2 || run.isAnnounced) return;
	const limit = await client.requestLimit(context);
	const each = requests?.(item) ?? 1;
	if (!limit || items * each <= limit) return;
	run.isAnnounced = true;
	const minutes = Math.ceil((items * each) / limit);
	const requestsEach = `${each} ${each === 1 ? 'request' : 'requests'}`;
	const about = requests
		? `${each === 1 ? '' : 'up to '}${requestsEach} each: about ${minutes} minutes`
		: `${requestsEach} or more each: ${minutes} minutes or more`;
	const message = `${items} items, ${about} at ${limit} requests a minute`;
	context.addExecutionHints({ message, type: 'info', location: 'outputPane' });
	context.sendMessageToUI(message);
}
