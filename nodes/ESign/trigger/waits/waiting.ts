import type { Known } from '../known';
import type { WaitingExecution } from '../members';

const DAY_MS = 86_400_000;

/** An execution that waits without a limit is forgotten then. A document expires long before that. */
export const LONGEST_WAIT_MS = 400 * DAY_MS;

/** So long is remembered that an execution does not wait any more, for the processes that have not heard of it. */
const OVER_IS_KEPT_MS = DAY_MS;

/** Executions that have gone on and are remembered as such. */
const MOST_OVER = 500;

export const isOver = ({ documents, until }: WaitingExecution): boolean =>
	documents.length === 0 || until <= Date.now();

/** The executions that wait. */
export function allWaiting(known: Known): WaitingExecution[] {
	return known.all('wait').filter((wait) => !isOver(wait));
}

/** The same execution, waiting for these documents from now on. Without any, it does not wait any more, and nobody calls it. */
export function withOpen(wait: WaitingExecution, documents: string[]): WaitingExecution {
	const at = Math.max(Date.now(), wait.at + 1);
	if (documents.length > 0) return { ...wait, documents, at };
	return { ...wait, url: 'over', documents, at, until: at + OVER_IS_KEPT_MS };
}

/** Forgets what is long over; for good only where n8n saves static data afterwards. */
export function tidy(known: Known): void {
	const over = known.all('wait').filter(isOver);
	const past = over.filter(({ until }, index) => until <= Date.now() || index >= MOST_OVER);
	for (const { id } of past) known.remove('wait', id);
}
