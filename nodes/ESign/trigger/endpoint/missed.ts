import { client, isGone, isObject, type WebhookDelivery } from '../../client';
import { obstacleIn, post, type Reply } from '../../messages/message';
import {
	failuresInARow,
	missedEvents,
	spanOf,
	timeOf,
	uncertainSince,
	wasSwitchedOff,
} from '../../service/deliveryLog';
import { MAX_ENTRIES } from '../../service/limits';
import { ANSWERED_EARLY, isAccepted, isRepetition, noteAccepted } from '../delivery/acceptance';
import { ownerOf } from '../triggerState';
import { whyFailed, type OwnEndpoints } from './ownEndpoints';

/**
 * An attempt stands in the log only when it is over, with the time at which it began; and the
 * clocks of two machines differ.
 */
const LOGGED_LATE_MS = 60_000;
/** How long each turn runs what was missed, and how long where an endpoint is about to go. */
const RUN_MS = 25_000;
export const LEAVING_MS = 5_000;
/** n8n answers within that time (`acceptance.ts`), or takes the event when it is given again. */
const TAKEN_MS = 15_000;
/**
 * The service waits ten seconds for an answer, and one attempt may be under way when it is asked
 * for another.
 */
const ARRIVAL_MS = 15_000;
const SLICE_MS = 200;
/**
 * An hour of calls without an answer: two a minute, and one for each look. A proxy that still
 * starts, or a process that is down, is no n8n that cannot call its own address.
 */
const HOPELESS_AFTER = 160;
/** A repetition that arrives within this time is one in other processes of this n8n as well. */
const REPEATED_BY_MS = 120_000;

/**
 * Reads the delivery log of an endpoint: what no attempt has delivered is to run, unless it has run
 * as far as this process knows, or a mark says that the log was run through. n8n's memory knows the
 * rest (`runEvents.ts`).
 *
 * @returns the log; undefined if it could not be read, which is said
 */
export async function collectMissed(
	endpoints: OwnEndpoints,
	id: string,
): Promise<WebhookDelivery[] | undefined> {
	const { state } = endpoints;
	// Nobody wants what a test misses, or what happens while the trigger is switched off.
	const isUnwanted = state.isTest || state.endpoints.get(id)?.retired;
	if (isUnwanted || state.activation.ignoresMissed) return [];

	let log: WebhookDelivery[];
	try {
		log = await endpoints.readLog(id);
	} catch (error) {
		// Somebody has deleted it.
		if (isGone(error)) return [];
		const what = `the delivery log of webhook ${id} could not be read: ${whyFailed(error)}`;
		if (!endpoints.limits.signal?.aborted)
			endpoints.log('warn', `${what}. Events that it missed are not known.`);
		return undefined;
	}
	reportHidden(endpoints, log, id);

	const runTo = state.logRunTo(id) - LOGGED_LATE_MS;
	// n8n had not started it yet, and may fail when this log is gone.
	const isInDoubt = ({ response_body: answer }: WebhookDelivery) => answer === ANSWERED_EARLY;
	for (const delivery of missedEvents(log, isInDoubt)) {
		const { event_id: eventId, created_at: triedAt } = delivery;
		const hasStarted = state.events.get(eventId)?.outcome === 'started';
		if (timeOf(triedAt) > runTo && !hasStarted && !state.missed.has(eventId))
			state.missed.set(eventId, { ...delivery, endpointId: id });
	}
	return log;
}

/** Says for which time the log shows nothing, as far as nobody has looked meanwhile. */
function reportHidden(endpoints: OwnEndpoints, log: readonly WebhookDelivery[], id: string): void {
	const { state, logReadTo } = endpoints;
	const [begin, end] = spanOf(log);
	if (!begin || !end) return;

	const { at: madeAt = Date.now() } = state.endpoints.get(id) ?? {};
	const from = Math.max(madeAt, state.logRunTo(id), logReadTo.get(id) ?? 0);
	logReadTo.set(id, timeOf(end));
	if (log.length >= MAX_ENTRIES && timeOf(begin) > from) {
		const what = `the delivery log shows the last ${MAX_ENTRIES} attempts only, since ${begin}; whether earlier events arrived is not known`;
		endpoints.logGap(what, from, begin);
	}
	// What comes later is in the log of the endpoint that replaces it.
	const since = uncertainSince(log);
	const later = state.endpoints.all().find((known) => known.id !== id && known.at > timeOf(since));
	if (!later || !wasSwitchedOff(log)) return;
	const what = `webhook ${id} had been switched off after too many failures`;
	endpoints.logGap(what, since, later.at);
}

const described = ({ event, event_id, document_id, created_at }: WebhookDelivery): string =>
	`${event} ${event_id}${document_id ? ` of document ${document_id}` : ''}, last tried ${created_at}`;

/**
 * Names events that are not to run any longer: those given, or all but what n8n has accepted. That
 * runs, or the next activation runs it.
 */
export function giveUp(
	endpoints: OwnEndpoints,
	why: string,
	events = [...endpoints.state.missed.values()].filter(({ succeeded }) => !succeeded),
): void {
	for (const event of events) {
		endpoints.state.missed.delete(event.event_id);
		const what = `an event of webhook ${event.endpointId} was not run, because ${why}`;
		endpoints.log('warn', `${what}: ${described(event)}`);
	}
}

/** What stands in the way of an event that was given to n8n, if anything. */
function obstacleTo(url: string, reply: Reply): string | undefined {
	if (!reply.answer) return `${url} ${obstacleIn(reply)}`;
	// Another process of this n8n has taken it, and is asked until n8n has started the workflow.
	return reply.body === ANSWERED_EARLY ? 'it has no room for the workflow yet' : undefined;
}

/**
 * Gives this n8n the events that were missed, at the trigger's own URL, one after the other as n8n
 * takes them. One that it does not take comes last in the next round.
 *
 * @param forMs after that the rest is left to the next turn, in milliseconds
 * @returns whether nothing is left
 */
export async function runMissed(
	endpoints: OwnEndpoints,
	url: string,
	forMs = RUN_MS,
): Promise<boolean> {
	const { context, state, limits } = endpoints;
	const { missed } = state;
	const options = { abortSignal: limits.signal, timeout: TAKEN_MS };
	const until = client.now() + forMs;
	for (const [id, event] of missed) {
		limits.signal?.throwIfAborted();
		if (client.now() >= until) return false;
		// n8n has it, and starts it when it has room.
		if (isAccepted(state, id)) continue;
		const { payload } = event;
		if (!isObject(payload) || payload.id !== id) {
			giveUp(endpoints, 'its payload is not in the delivery log', [event]);
			continue;
		}

		const reply = await post(context, url, { owner: ownerOf(context), event: payload }, options);
		const obstacle = obstacleTo(url, reply);
		const isMissed = missed.has(id);
		if (isMissed && obstacle) {
			missed.set(id, event);
			const what = 'n8n does not take a missed event, which is tried again';
			endpoints.log('warn', `${what}: ${obstacle}`);
			return false;
		}
		// Its answer was lost. This process knows that n8n has it, or it was given up meanwhile.
		if (!reply.answer) continue;
		if (isMissed) noteAccepted(state, { id, signedAt: 0 });
		endpoints.log('info', `a missed event was run from the delivery log: ${described(event)}`);
	}
	return true;
}

async function replay(
	{ context, limits }: OwnEndpoints,
	id: string,
	deliveryId: string,
): Promise<void> {
	const endpoint = 'POST /webhooks/{id}/deliveries/{deliveryId}/replay';
	await client.call(context, endpoint, { path: { id, deliveryId }, ...limits });
}

/**
 * Has the service replay what was missed, where n8n cannot call its own address: one at a time, and
 * only while the newest attempt has arrived. One that does not arrive ends it, because twenty
 * failures in a row switch the endpoint off, and each replay may cost three. What another endpoint
 * has missed cannot be replayed: it waits until n8n answers, or is given up.
 *
 * @param id the endpoint in place
 * @param log its delivery log
 * @returns whether nothing is left
 */
export async function replayMissed(
	endpoints: OwnEndpoints,
	id: string,
	log: readonly WebhookDelivery[],
): Promise<boolean> {
	const { state, limits, unanswered } = endpoints;
	const { missed } = state;
	const ofOthers = [...missed.values()].filter(({ endpointId }) => endpointId !== id);
	if (unanswered > HOPELESS_AFTER) giveUp(endpoints, 'n8n cannot call its own address', ofOthers);

	const hasArrived = failuresInARow(log) === 0;
	for (const [eventId, event] of missed) {
		if (event.endpointId !== id || isAccepted(state, eventId)) continue;
		if (!hasArrived) return false;

		await replay(endpoints, id, event.id);
		endpoints.log('info', `asked for a replay of a missed event: ${described(event)}`);
		const isAway = () => !isAccepted(state, eventId);
		for (let waited = 0; waited < ARRIVAL_MS && isAway(); waited += SLICE_MS) {
			await client.pause(SLICE_MS, limits.signal);
			limits.signal?.throwIfAborted();
		}
		if (!isAway()) continue;
		// Another process may have received it: the next look reads the log.
		missed.delete(eventId);
		return false;
	}
	return missed.size === 0;
}

/**
 * What has run from the log still counts as failed at the service, and twenty failures in a row,
 * however far apart, switch the endpoint off. One replay of an event that has just run ends the
 * row: it arrives as a repetition, and starts nothing.
 *
 * @param id the endpoint in place, at which n8n was reached
 */
export async function endFailures(
	endpoints: OwnEndpoints,
	id: string,
	log: readonly WebhookDelivery[],
): Promise<void> {
	const { context, state } = endpoints;
	// Without Deduplicate it would run again.
	const isOnce = context.getNodeParameter('options.deduplicate', true) !== false;
	if (!isOnce || failuresInARow(log) === 0) return;

	const arrivesBy = Date.now() + REPEATED_BY_MS;
	const ran = log.find(({ event_id }) => {
		return isRepetition(state, { id: event_id, signedAt: 0 }, arrivesBy);
	});
	if (ran) await replay(endpoints, id, ran.id);
}
