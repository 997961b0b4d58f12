import type { IWebhookFunctions } from 'n8n-workflow';
import type { WaitAnswer, WaitRequest } from './message';
import { allWaiting, dropFinishedWaits, finished, parseWait, type WaitStore } from './waitingExecution';

/** Executions that wait at one time. */
const MAX_WAITING = 1_000;

/** What they take in static data, which n8n saves as a whole, in characters. */
const MAX_TEXT = 500_000;

/** n8n looks once a minute which executions go on by themselves; the trigger's own look comes once an hour. */
const AFTER_LIMIT_MS = 3_600_000;

/** An execution that waits without a limit is forgotten then. A document expires long before that. */
const LONGEST_WAIT_MS = 400 * 86_400_000;

/** Notes an execution that waits, or that does not wait any more. */
export function registerWait(context: IWebhookFunctions, waits: WaitStore, request: WaitRequest): WaitAnswer {
	// A test listener ends with its first event.
	if (context.getMode() === 'manual') return 'not published';
	const { key, execution: id, resume, documents, until: limit } = request;
	const now = Date.now();
	const until = typeof limit === 'number' ? limit + AFTER_LIMIT_MS : now + LONGEST_WAIT_MS;
	const wait = parseWait({ id, key, resume, documents, until, at: now });
	if (!wait || request.instance !== context.getInstanceId()) return 'other n8n';
	dropFinishedWaits(waits);
	const held = waits.get(wait.id);
	const isNew = held?.key !== wait.key;
	const next = isNew ? { ...wait, at: Math.max(wait.at, (held?.at ?? 0) + 1) } : { ...wait, round: held.round };
	const others = allWaiting(waits).filter((one) => one.id !== wait.id);
	const hasRoom = others.length < MAX_WAITING && JSON.stringify([...others, wait]).length <= MAX_TEXT;
	if (isNew && !hasRoom && wait.documents.length > 0) return 'full';
	waits.keep(wait.documents.length > 0 ? next : finished(next));
	return 'taken';
}
