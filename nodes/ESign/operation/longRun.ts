import { client, runOf } from '../client';
import type { Item } from './parameters';

/**
 * Says how long a run takes whose items need more requests than the service lets through in a
 * minute (docs/service.md section 8). Called after an item is done. The first may have read or
 * uploaded something for all: the next shows what each takes. Where no answer names a limit,
 * nothing slows the run down.
 *
 * n8n shows hints when the node is through. A manual run shows it at once too, in the
 * console of the browser.
 */
export async function announceLongRun({ context, index }: Item): Promise<void> {
	const run = runOf(context);
	if (index === 0 || run.requests.size < 2 || run.isAnnounced) return;
	const limit = await client.requestLimit(context);
	// What an earlier try has done takes none.
	const items = context.getInputData().length - Math.max(0, index + 1 - run.requests.size);
	const each = run.requests.get(index) ?? 0;
	if (!limit || items * each <= limit) return;
	run.isAnnounced = true;
	const minutes = Math.ceil((items * each) / limit);
	const requestsEach = `${each} ${each === 1 ? 'request' : 'requests'} each`;
	const message = `${items} items, ${requestsEach}: about ${minutes} minutes at ${limit} requests a minute`;
	context.addExecutionHints({ message, type: 'info', location: 'outputPane' });
	context.sendMessageToUI(message);
}
