import type { IWebhookFunctions } from 'n8n-workflow';
import { client } from '../../client';
import { onAnswer, type Responder } from '../../messages/responder';
import { log } from '../identity';
import { reportFailure } from '../share';
import type { TriggerState } from '../triggerState';
import { lastMomentOf } from './signature';

/**
 * The service waits ten seconds for an answer (docs/service.md section 6, rule 2). Under a
 * concurrency limit n8n 2 stores the execution at once, and answers only when there is a free slot
 * for it.
 */
const LONGEST_MS = 7_000;

/** A delivery of an event: its id, and when it was signed, in seconds since the epoch. */
export type Delivered = { id: string; signedAt: number };

export function isAccepted({ events }: TriggerState, id: string): boolean {
	return (events.get(id)?.until ?? 0) > 0;
}

/** The events that n8n failed to start a workflow for after the service was told that it would. */
export function failedLate({ events }: TriggerState): Set<string> {
	return new Set(events.all().flatMap(({ id, until }) => (until === 0 ? [id] : [])));
}

/**
 * Whether a delivery repeats an accepted event: every one within the time for which bytes signed at
 * its acceptance would verify does, and every one that was signed no later than one that was seen,
 * whatever the clock says.
 *
 * @param now the clock that signatures are compared with, in milliseconds
 */
export function isRepetition(
	{ events }: TriggerState,
	{ id, signedAt }: Delivered,
	now: number,
): boolean {
	const accepted = events.get(id);
	if (!accepted || (now >= accepted.until && signedAt > accepted.at)) return false;
	events.keep({ ...accepted, at: Math.max(accepted.at, signedAt) });
	return true;
}

/**
 * What becomes of a delivery. The first of its event starts the workflow: the event is accepted
 * when n8n has answered that it did, or has taken seven seconds. Then the service is answered here,
 * and asked for a replay if n8n fails after all.
 *
 * A second one of an event that is under way waits for what becomes of the first: it is a
 * repetition if n8n has the event, and fails, so that the service delivers again, if n8n could not
 * take it. Either shows that the service got no answer to the one before.
 *
 * @param isOnce whether a repetition starts nothing
 */
export async function accept(
	context: IWebhookFunctions,
	state: TriggerState,
	delivered: Delivered,
	response: Responder,
	isOnce = true,
): Promise<'first' | 'repetition' | 'failed'> {
	const { starts, events } = state;
	const { id, signedAt } = delivered;
	const underWay = isOnce ? starts.get(id) : undefined;
	const hasFailed = underWay !== undefined && !(await underWay);
	if (hasFailed || (isOnce && isRepetition(state, delivered, Date.now()))) {
		reportFailure(context, state);
		return hasFailed ? 'failed' : 'repetition';
	}
	const inTime = new AbortController();
	const start = new Promise<boolean>((resolve) => {
		const settle = (hasStarted: boolean) => {
			inTime.abort();
			starts.delete(id);
			// From now on, not from when it was signed: while n8n was starting the workflow the service
			// has gone on delivering.
			const since = Math.max(signedAt, Math.floor(Date.now() / 1_000));
			if (hasStarted) events.keep({ id, at: signedAt, until: lastMomentOf(since) });
			resolve(hasStarted);
		};
		const answerFirst = onAnswer(response, (status) => {
			const hasStarted = status < 300;
			if (!hasStarted) reportFailure(context, state);
			if (!inTime.signal.aborted) return settle(hasStarted);
			if (hasStarted) return;
			// The service was told that the event has arrived: the next look asks for a replay.
			log(
				context,
				'error',
				`n8n accepted event ${id} but did not start the workflow, so the event is replayed`,
			);
			events.keep({ id, at: (events.get(id)?.at ?? signedAt) + 1, until: 0 });
		});
		void client.pause(LONGEST_MS, inTime.signal).then(() => {
			if (inTime.signal.aborted) return;
			settle(true);
			answerFirst('Accepted: n8n starts the workflow when it has room');
		});
	});
	response.once('close', () => {
		if (!response.writableFinished) reportFailure(context, state);
	});
	// In the same step as it was found to be none, so that of two deliveries at once exactly one is
	// first.
	starts.set(id, start);
	return 'first';
}
