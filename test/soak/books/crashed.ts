import type { LedgerEvent } from '../setting/eventLedger';
import { EVENTS_OF, type EventWorkflow, type WebhookWorkflow } from '../setting/workflows';
import type { Job } from '../work/jobs';
import type { Ran } from './executions';

/** From an event or a job until n8n has an execution of it, with the service's retries between. */
const WITHIN_MS = 60_000;
const CLOCK_MS = 2_000;

/**
 * n8n keeps nothing of what started an execution that it was killed during: which job or event that
 * was is known by the time. Each is given one of those that have no execution, the earliest that can
 * be it.
 */
export function identifyCrashed(
	ran: readonly Ran[],
	jobs: readonly Job[],
	events: readonly LedgerEvent[],
): Ran[] {
	const jobsTaken = new Set(ran.map(({ job }) => job));
	const eventsTaken = new Set(ran.map(({ workflow, eventId }) => `${workflow} ${eventId}`));
	const isTime = (at: number, startedAt: number) =>
		at <= startedAt + CLOCK_MS && at >= startedAt - WITHIN_MS;

	const jobFor = (workflow: WebhookWorkflow, startedAt: number) =>
		jobs.find(
			(job) => job.workflow === workflow && !jobsTaken.has(job.number) && isTime(job.at, startedAt),
		)?.number;
	const eventFor = (workflow: EventWorkflow, startedAt: number) =>
		events.find(
			({ id, event, at }) =>
				EVENTS_OF[workflow].includes(event) &&
				!eventsTaken.has(`${workflow} ${id}`) &&
				isTime(at, startedAt),
		)?.id;

	return ran.map((execution) => {
		const { workflow, status, job, eventId, startedAt } = execution;
		if (status !== 'crashed' || job !== undefined || eventId !== undefined) return execution;
		if (workflow === 'everyEvent' || workflow === 'fileCompleted') {
			const found = eventFor(workflow, startedAt);
			eventsTaken.add(`${workflow} ${found}`);
			return { ...execution, eventId: found };
		}
		const found = jobFor(workflow, startedAt);
		if (found !== undefined) jobsTaken.add(found);
		return { ...execution, job: found };
	});
}
