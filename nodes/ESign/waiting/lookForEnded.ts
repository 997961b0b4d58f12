import type { ITriggerFunctions } from 'n8n-workflow';
import { MOST_ENTRIES } from '../service/limits';
import { client } from '../client';
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
	const waiting = allWaiting(waits);
	const open = new Set<string>();
	const isUnseen = (id: string) => !open.has(id);
	const unseen = () => waiting.reduce((sum, { documents }) => sum + documents.filter(isUnseen).length, 0);
	let isComplete = false;
	let cursor: string | undefined;
	for (let pages = 0; !isComplete && pages < unseen(); pages++) {
		const query = { status: 'in_progress' };
		const page = await client.page(trigger, 'GET /documents', { query, limit: MOST_ENTRIES, cursor, signal });
		for (const { id } of page.data) open.add(id);
		isComplete = !page.has_more || !page.next_cursor;
		cursor = page.next_cursor ?? undefined;
	}
	// What has begun to wait meanwhile may not be in the list yet.
	const asked = new Set(waiting.flatMap(({ documents }) => documents));
	if (isComplete) countDown(waits, (id) => asked.has(id) && isUnseen(id));
	const keys = new Set(waiting.filter(({ documents }) => documents.every(isUnseen)).map(({ key }) => key));
	return allWaiting(waits).filter(({ key, documents }) => keys.has(key) || documents.length === 0);
}
