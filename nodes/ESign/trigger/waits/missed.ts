import type { ITriggerFunctions } from 'n8n-workflow';
import { MOST_ENTRIES } from '../../service/limits';
import { apiRequestPage } from '../../transport';
import type { Known } from '../known';
import { allWaiting } from './waiting';
import { wakeInOrder } from './wake';

/**
 * Wakes executions whose documents have ended unnoticed: the event was lost, or n8n was down. The service lists the
 * documents that are in progress, a hundred with each request, until all that are waited for were seen, or until asking for
 * the others one by one has become cheaper: an old one lies behind all that are newer. One that was not seen has ended, is
 * old, or is a draft: the execution asks about that one itself.
 *
 * @returns true
 * @throws NodeApiError the service could not be asked
 */
export async function wakeMissed(trigger: ITriggerFunctions, known: Known, signal: AbortSignal): Promise<boolean> {
	// Of several triggers each asks: it cannot tell whether those before it are still published.
	const waiting = allWaiting(known);
	const open = new Set<string>();
	const isMissed = (id: string) => !open.has(id);
	const unseen = () => waiting.reduce((sum, { documents }) => sum + documents.filter(isMissed).length, 0);
	let cursor: string | undefined;
	for (let pages = 0; pages < unseen(); pages++) {
		const page = await apiRequestPage(trigger, 'GET /documents', {
			query: { status: 'in_progress' },
			limit: MOST_ENTRIES,
			cursor,
			signal,
		});
		for (const { id } of page.data) open.add(id);
		if (!page.has_more || !page.next_cursor) break;
		cursor = page.next_cursor;
	}
	const missed = waiting.filter(({ documents }) => documents.some(isMissed));
	// Each asks the service, at the rate that the key allows: the look does not wait for that.
	void wakeInOrder(trigger, known, missed, { missed: isMissed, signal });
	return true;
}
