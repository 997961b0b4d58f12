import type { IWebhookFunctions } from 'n8n-workflow';
import { client, forgetOldest } from '../../client';
import { logFieldsOf } from '../identity';
import { noteFailure } from '../share';
import type { TriggerState } from '../triggerState';
import { lastMomentOf } from './signature';
import { onAnswer, type Responder } from './responder';

/** Deliveries under way that are remembered; n8n would be long overloaded. */
const MAX_STARTS = 5_000;

/**
 * The service waits ten seconds for an answer (docs/service.md section 6, rule 2). Under a concurrency limit n8n 2 stores the
 * execution at once, and answers only when there is a free slot for it.
 */
const LONGEST_MS = 7_000;

/** What becomes of a delivery beside earlier ones of the same event. */
export type Verdict = 'first' | 'repetition' | 'failed';

/** Whether an event has started the workflow, as far as this process knows. */
export function isAccepted({ events }: TriggerState, id: string): boolean {
	return (events.get(id)?.until ?? 0) > 0;
}

/** The events that n8n failed to start a workflow for after the service was told that it would. */
export function failedLate({ events }: TriggerState): Set<string> {
	return new Set(events.all().flatMap(({ id, until }) => (until === 0 ? [id] : [])));
}

/**
 * Whether a delivery is the first of its event. A second one of an event that is under way waits for what becomes of the
 * first: it is a repetition if n8n has the event, and fails, so that the service delivers again, if n8n could not take it.
 *
 * An accepted event is repeated by every delivery within the time for which bytes signed at its acceptance would verify, and
 * by every delivery that was signed no later than one that was seen, whatever the clock says.
 *
 * @param signedAt the time in the signature, in seconds since the epoch
 * @param now the clock that signatures are compared with, in milliseconds
 */
export async function judge(
	state: TriggerState,
	{ id, signedAt, now }: { id: string; signedAt: number; now: number },
): Promise<Verdict> {
	const start = state.memory.starts.get(id);
	if (start && !(await start.settled)) return 'failed';
	const accepted = state.events.get(id);
	if (!accepted || (now >= accepted.until && signedAt > accepted.at)) return 'first';
	// The service does not know that the event arrived, and would replay it at the next start. n8n saves what is written
	// here, because this delivery starts nothing.
	state.events.put({ ...accepted, at: Math.max(accepted.at, signedAt) });
	state.saveAll();
	return 'repetition';
}

/**
 * Follows a delivery that starts the workflow: its event is accepted when n8n has answered that it did, or has taken seven
 * seconds. Then the service is answered here, and asked for a replay if n8n fails after all.
 *
 * To be called in the same step as `judge` ends, so that of two deliveries at once exactly one is first.
 */
export function follow(
	context: IWebhookFunctions,
	state: TriggerState,
	{ id, signedAt }: { id: string; signedAt: number },
	response: Responder,
): void {
	const { starts } = state.memory;
	const inTime = new AbortController();
	const settled = new Promise<boolean>((resolve) => {
		const settle = (hasStarted: boolean) => {
			inTime.abort();
			starts.delete(id);
			// From now on, not from when it was signed: while n8n was starting the workflow the service has gone on delivering.
			const since = Math.max(signedAt, Math.floor(Date.now() / 1_000));
			if (hasStarted) state.events.keep({ id, at: signedAt, until: lastMomentOf(since) });
			resolve(hasStarted);
		};
		const answerFirst = onAnswer(response, (status) => {
			const hasStarted = status < 300;
			if (!hasStarted) noteFailure(context, state);
			if (!inTime.signal.aborted) settle(hasStarted);
			else if (!hasStarted) failLate(context, state, id);
		});
		void client.pause(LONGEST_MS, inTime.signal).then(() => {
			if (inTime.signal.aborted) return;
			settle(true);
			answerFirst('Accepted: n8n starts the workflow when it has room');
		});
	});
	response.once('close', () => {
		if (!response.writableFinished) noteFailure(context, state);
	});
	starts.set(id, { settled });
	forgetOldest(starts, MAX_STARTS);
}

/** The service was told that the event has arrived: the next look asks for a replay. */
function failLate(context: IWebhookFunctions, { events }: TriggerState, id: string): void {
	context.logger.error(
		`eSign: n8n accepted event ${id} but did not start the workflow, so the event is replayed`,
		logFieldsOf(context),
	);
	const accepted = events.get(id);
	if (accepted) events.keep({ ...accepted, at: accepted.at + 1, until: 0 });
}
