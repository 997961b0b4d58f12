import type { IWebhookFunctions } from 'n8n-workflow';
import type { WaitAnswer, WaitRequest } from './message';
import {
	allWaiting,
	dropFinishedWaits,
	finished,
	LONGEST_WAIT_MS,
	parseWait,
	type WaitingExecution,
	type WaitStore,
} from './waitingExecution';

/** Executions that wait at one time. */
const MAX_WAITING = 1_000;

/** What they take in static data, which n8n saves as a whole, in characters. */
const MAX_TEXT = 500_000;

/** n8n looks once a minute which executions go on by themselves; the trigger's own look comes once an hour. */
const AFTER_LIMIT_MS = 3_600_000;

/** A request read with suspicion: it comes from another process. */
function waitIn({ key, execution, query, documents, until }: WaitRequest): WaitingExecution | undefined {
	const at = Date.now();
	const last = typeof until === 'number' ? until + AFTER_LIMIT_MS : at + LONGEST_WAIT_MS;
	return parseWait({ id: execution, key, query, documents, until: last, at });
}

/** Notes an execution that waits, or that does not wait any more. */
export function registerWait(context: IWebhookFunctions, waits: WaitStore, request: WaitRequest): WaitAnswer {
	// A test listener ends with its first event.
	if (context.getMode() === 'manual') return 'not published';
	const wait = waitIn(request);
	if (!wait || request.instance !== context.getInstanceId()) return 'other n8n';
	dropFinishedWaits(waits);
	const held = waits.get(wait.id);
	const isNew = held?.key !== wait.key;
	const next = isNew ? { ...wait, at: Math.max(wait.at, (held?.at ?? 0) + 1) } : { ...wait, round: held.round };
	if (wait.documents.length === 0) waits.put(finished(next));
	else if (isNew && !hasRoom(waits, wait)) return 'full';
	else waits.put(next);
	return 'taken';
}

function hasRoom(waits: WaitStore, wait: WaitingExecution): boolean {
	const others = allWaiting(waits).filter(({ id }) => id !== wait.id);
	return others.length < MAX_WAITING && JSON.stringify([...others, wait]).length <= MAX_TEXT;
}
