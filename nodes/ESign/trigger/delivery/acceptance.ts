import type { IWebhookFunctions } from 'n8n-workflow';
import { client } from '../../client';
import { onAnswer, type Responder } from '../../messages/responder';
import { reportFailure } from '../share';
import { log, type TriggerState } from '../triggerState';
import { lastMomentOf } from './signature';

/**
 * The service waits ten seconds for an answer (docs/service.md section 6, rule 2). Under a
 * concurrency limit n8n 2 stores the execution at once, and answers only when there is a free slot
 * for it.
 */
const ANSWERED_AFTER_MS = 7_000;

/** Our own answer after that time; the service keeps it in the delivery log. */
export const ANSWERED_EARLY = 'Accepted: n8n starts the workflow when it has room';

/** A delivery of an event, or the event out of a delivery log. */
export type Delivered = {
	id: string;
	/** In seconds since the epoch; of an event out of a log, when it was given. */
	signedAt: number;
	/** It only runs if it never ran. */
	isFromLog?: boolean;
};

/** Whether n8n has the event, or is taking it, as far as this process knows. */
export function isAccepted({ events }: TriggerState, id: string): boolean {
	const given = events.get(id);
	return given !== undefined && given.outcome !== 'failed';
}

/**
 * Notes that n8n has an event, for as long as bytes signed by now verify. Once it has started, it
 * is not missed any longer.
 */
export function noteAccepted(
	{ events, missed }: TriggerState,
	{ id, signedAt }: Delivered,
	outcome: 'pending' | 'started' = 'started',
): void {
	// Not from when it was signed: while n8n was starting the workflow the service has continued to
	// deliver.
	const since = Math.max(signedAt, Math.floor(Date.now() / 1_000));
	events.set(id, { until: lastMomentOf(since), outcome });
	if (outcome === 'started') missed.delete(id);
}

/**
 * Whether a delivery repeats an event that was accepted here. n8n's memory has the last word
 * (`runEvents.ts`).
 *
 * @param now the clock that signatures are compared with, in milliseconds
 */
export function isRepetition(
	state: TriggerState,
	{ id, isFromLog }: Delivered,
	now: number,
): boolean {
	const { until = 0 } = state.events.get(id) ?? {};
	return isAccepted(state, id) && (isFromLog === true || now < until);
}

/**
 * What becomes of a delivery. The first of its event starts the workflow: the event is accepted
 * when n8n has answered that it did, or has taken seven seconds. Then the service is answered here,
 * and the event is run from the delivery log if n8n fails after all.
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
	const { starts } = state;
	const { id, isFromLog } = delivered;

	const underWay = isOnce ? starts.get(id) : undefined;
	if (underWay && !(await underWay)) {
		reportFailure(context, state);
		return 'failed';
	}
	if (isOnce && isRepetition(state, delivered, Date.now())) {
		if (!isFromLog) reportFailure(context, state);
		return 'repetition';
	}

	response.once('close', () => {
		if (!response.writableFinished) reportFailure(context, state);
	});
	// In the same step as it was found to be none, so that of two deliveries at once exactly one is
	// first.
	const start = started(context, state, delivered, response);
	starts.set(id, start);
	void start.finally(() => starts.delete(id));
	return 'first';
}

/** Resolves to whether n8n has the event: it has answered, or has taken seven seconds. */
async function started(
	context: IWebhookFunctions,
	state: TriggerState,
	delivered: Delivered,
	response: Responder,
): Promise<boolean> {
	const { answered, answerFirst } = onAnswer(response);
	const outcome = answered.then((status) => (status < 300 ? 'started' : 'failed'));
	const isDecided = new AbortController();
	const sevenSeconds = client
		.pause(ANSWERED_AFTER_MS, isDecided.signal)
		.then(() => 'pending' as const);

	const first = await Promise.race([outcome, sevenSeconds]);
	isDecided.abort();
	if (first === 'failed') reportFailure(context, state);
	else noteAccepted(state, delivered, first);
	if (first !== 'pending') return first === 'started';

	answerFirst(ANSWERED_EARLY);
	void outcome.then((last) => {
		// It is a repetition for no longer than when it was accepted: other processes go by when it was
		// signed, and a replay of it would run there.
		const given = state.events.get(delivered.id);
		if (given) given.outcome = last;
		if (last === 'started') {
			state.missed.delete(delivered.id);
			return;
		}
		// The service believes that the event has arrived.
		const what = `n8n accepted event ${delivered.id} but did not start the workflow`;
		log(context, 'error', `${what}, so the event is run again`);
		reportFailure(context, state);
	});
	return true;
}
