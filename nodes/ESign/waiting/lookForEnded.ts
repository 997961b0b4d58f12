import type { ITriggerFunctions } from 'n8n-workflow';
import { MOST_ENTRIES } from '../service/limits';
import { client, pagesOf } from '../client';
import { allWaiting, countDown, type WaitingExecution, type WaitStore } from './waitingExecution';

/**
 * Counts down whoever waits for documents that have ended unnoticed: the event was lost, or n8n was down. The service lists
 * the documents in progress, a hundred with each request, until all that are waited for were seen, or until it has become
 * cheaper to let the executions ask for the others: old ones lie behind all that are newer.
 *
 * @returns the executions to call: none of their documents was seen. (A draft is in no such list: its execution is called at
 * each look, and asks the service.)
 * @throws NodeApiError the service could not be asked
 */
export async function lookForEnded(
	trigger: ITriggerFunctions,
	waits: WaitStore,
	signal: AbortSignal,
): Promise<WaitingExecution[]> {
	// What begins to wait meanwhile may not be in the list yet.
	const unseen = new Set(allWaiting(waits).flatMap(({ documents }) => documents));
	let isComplete = false;
	const inProgress = pagesOf(trigger, async (cursor) => {
		const query = { status: 'in_progress', limit: MOST_ENTRIES, cursor };
		const page = await client.call(trigger, 'GET /documents', { query, signal });
		isComplete = !page.has_more || !page.next_cursor;
		return page;
	});
	for (let pages = 0; pages < unseen.size; pages++) {
		const { value = [] } = await inProgress.next();
		for (const { id } of value) unseen.delete(id);
		if (isComplete) break;
	}
	if (isComplete) countDown(waits, (id) => unseen.has(id));
	return allWaiting(waits).filter(({ documents }) => documents.every((id) => unseen.has(id)));
}
