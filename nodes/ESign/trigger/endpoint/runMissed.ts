import { client, isObject, type WebhookDelivery } from '../../client';
import { obstacleIn, post } from '../../messages/post';
import { failuresInARow } from '../../service/deliveryLog';
import { ANSWERED_EARLY, isRepetition, noteGiven } from '../delivery/acceptance';
import { ownerOf, type MissedEvent } from '../triggerState';
import type { OwnEndpoints } from './ownEndpoints';

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

const described = ({ event, event_id, document_id, created_at }: WebhookDelivery): string =>
	`${event} ${event_id}${document_id ? ` of document ${document_id}` : ''}, last tried ${created_at}`;

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
	const { limits } = endpoints;
	const { missed } = endpoints.state;
	const until = client.now() + forMs;
	for (const [id, event] of missed) {
		limits.signal?.throwIfAborted();
		if (client.now() >= until) return false;

		const obstacle = await give(endpoints, url, event);
		if (!obstacle) continue;
		// Its answer was lost: this process knows that n8n has the event.
		if (!missed.has(id)) continue;
		missed.set(id, event);
		endpoints.log('warn', `n8n does not take a missed event, which is tried again: ${obstacle}`);
		return false;
	}
	return true;
}

/** @returns undefined, or what stands in the way */
async function give(
	endpoints: OwnEndpoints,
	url: string,
	event: MissedEvent,
): Promise<string | undefined> {
	const { context, state, limits } = endpoints;
	const { event_id: id, payload } = event;
	if (!isObject(payload) || payload.id !== id) {
		giveUp(endpoints, 'its payload is not in the delivery log', [event]);
		return undefined;
	}

	const message = { owner: ownerOf(context), event: payload };
	const options = { abortSignal: limits.signal, timeout: TAKEN_MS };
	const reply = await post(context, url, message, options);
	if (!reply.answer) return `${url} ${obstacleIn(reply)}`;
	// Another process of this n8n has taken it, and is asked until n8n has started the workflow.
	if (state.missed.has(id)) {
		if (reply.body === ANSWERED_EARLY) return 'it has no room for the workflow yet';
		noteGiven(state, { id, signedAt: 0 });
	}
	endpoints.log('info', `a missed event was run from the delivery log: ${described(event)}`);
	return undefined;
}

/** Names events that are not to run any longer: those given, or all. */
export function giveUp(
	endpoints: OwnEndpoints,
	why: string,
	events = [...endpoints.state.missed.values()],
): void {
	for (const event of events) {
		endpoints.state.missed.delete(event.event_id);
		const what = `an event of webhook ${event.endpointId} was not run, because ${why}`;
		endpoints.log('warn', `${what}: ${described(event)}`);
	}
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
	const hasArrived = failuresInARow(log) === 0;
	const ofOthers = [...state.missed.values()].filter(({ endpointId }) => endpointId !== id);
	const isHopeless = unanswered > HOPELESS_AFTER;
	if (isHopeless) giveUp(endpoints, 'n8n cannot call its own address', ofOthers);
	for (const [eventId, event] of state.missed) {
		if (event.endpointId !== id) continue;
		if (!hasArrived) return false;

		await replay(endpoints, id, event.id);
		endpoints.log('info', `asked for a replay of a missed event: ${described(event)}`);
		for (let waited = 0; waited < ARRIVAL_MS && state.missed.has(eventId); waited += SLICE_MS) {
			await client.pause(SLICE_MS, limits.signal);
			limits.signal?.throwIfAborted();
		}
		if (!state.missed.has(eventId)) continue;
		// Another process may have received it: the next look reads the log.
		state.missed.delete(eventId);
		return false;
	}
	return isHopeless || ofOthers.length === 0;
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
