import { median, quantile } from '../../support/statistics';
import type { FaultJournal } from '../faults/journal';
import type { WorkflowName } from '../setting/workflows';
import type { Ran } from './executions';
import { groupBy } from './grouping';

/** How long executions of a workflow took, in milliseconds. */
export interface Waits {
	workflow: WorkflowName;
	count: number;
	p50: number;
	p95: number;
	longest: number;
}

/**
 * Two windows of the rate limit, a timeout of the request, the pauses between six tries, and a busy
 * machine.
 */
const ORDINARY_MS = 120_000;

export function waitsOf(ran: readonly Ran[]): Waits[] {
	const finished = ran.filter(
		({ status, startedAt, stoppedAt }) => status === 'success' && stoppedAt >= startedAt,
	);
	return [...groupBy(finished, ({ workflow }) => workflow)].map(([workflow, executions]) => {
		const times = executions.map(({ startedAt, stoppedAt }) => stoppedAt - startedAt);
		return {
			workflow,
			count: times.length,
			p50: median(times),
			p95: quantile(times, 0.95),
			longest: Math.max(...times),
		};
	});
}

/**
 * Executions that took longer than work, pacing and the large faults that happened meanwhile
 * explain.
 */
export function stuck(ran: readonly Ran[], journal: FaultJournal): string[] {
	return ran
		.filter(({ status, startedAt, stoppedAt }) => {
			if (!['success', 'error'].includes(status)) return false;
			const faults = journal
				.within(startedAt, stoppedAt)
				.filter(({ isLarge }) => isLarge)
				.reduce(
					(sum, { from, until }) => sum + Math.min(until, stoppedAt) - Math.max(from, startedAt),
					0,
				);
			return stoppedAt - startedAt > ORDINARY_MS + 2 * faults;
		})
		.map(
			({ id, workflow, startedAt, stoppedAt }) =>
				`${workflow} ${id} took ${Math.round((stoppedAt - startedAt) / 1000)} s`,
		);
}
