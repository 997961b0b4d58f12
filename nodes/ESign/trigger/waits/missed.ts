import type { ITriggerFunctions } from 'n8n-workflow';
import { apiRequestAll } from '../../transport';
import type { Known } from '../known';
import { allWaiting } from './waiting';
import { wakeAll } from './wake';

/**
 * Wakes executions whose documents have ended unnoticed: the event was lost, or n8n was down. The service lists the
 * documents that are in progress, a hundred with each request, and only until all that are waited for were seen. One that
 * is not among them has ended, or is a draft: the execution asks about that one itself.
 *
 * @throws NodeApiError the service could not be asked
 */
export async function wakeMissed(trigger: ITriggerFunctions, known: Known, signal: AbortSignal): Promise<void> {
	const waiting = allWaiting(known);
	if (waiting.length === 0) return;
	const waitedFor = new Set(waiting.flatMap(({ documents }) => documents));
	const inProgress = await apiRequestAll(trigger, 'GET /documents', {
		query: { status: 'in_progress' },
		keep: ({ id }) => waitedFor.has(id),
		limit: waitedFor.size,
		signal,
	});
	const open = new Set(inProgress.map(({ id }) => id));
	const isMissed = (id: string) => !open.has(id);
	const missed = waiting.filter(({ documents }) => documents.some(isMissed));
	// Each asks the service, at the rate that the key allows: the look does not wait for that.
	void wakeAll(trigger, known, missed, { missed: isMissed, signal });
}
