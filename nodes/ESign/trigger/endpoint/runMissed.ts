import { client, isObject, type WebhookDelivery } from '../../client';
import { obstacleIn, post } from '../../messages/post';
import { failuresInARow } from '../../service/deliveryLog';
import { isAccepted, noteGiven } from '../delivery/acceptance';
import { ownerOf } from '../identity';
import type { MissedEvent, TriggerState } from '../triggerState';
import type { OwnEndpoints } from './ownEndpoints';

/**
 * The service waits ten seconds for an answer, and one attempt may be under way when it is asked
 * for another.
 */
const ARRIVAL_MS = 15_000;
const SLICE_MS = 200;

const described = ({ event, event_id, document_id, created_at }: WebhookDelivery): string =>
	`${event} ${event_id}${document_id ? ` of document ${document_id}` : ''}, last tried ${created_at}`;

/** The next event that has to run; those that have been accepted meanwhile are left out. */
function nextMissed(state: TriggerState): MissedEvent | undefined {
	for (const [id, event] of state.missed) {
		if (!isAccepted(state, id)) return event;
		state.missed.delete(id);
	}
	return undefined;
}

/**
 * Gives this n8n the events that were missed, at the trigger's own URL, one after the other as n8n
 * takes them. One that it does not take comes last in the next round.
 *
 * @param until by the clock that cannot be set, in milliseconds
 * @returns whether nothing is left
 */
export async function runMissed(
	endpoints: OwnEndpoints,
	url: string,
	until: number,
): Promise<boolean> {
	const { state, limits } = endpoints;
	for (let event = nextMissed(state); event; event = nextMissed(state)) {
		limits.signal?.throwIfAborted();
		if (client.now() >= until) return false;

		const obstacle = await give(endpoints, url, event);
		state.missed.delete(event.event_id);
		if (obstacle) {
			state.missed.set(event.event_id, event);
			endpoints.log('warn', `n8n does not take a missed event, which is tried again: ${obstacle}`);
			return false;
		}
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
	const reply = await post(context, url, message, { abortSignal: limits.signal });
	if (!reply.answer) return `${url} ${obstacleIn(reply)}`;
	// Another process of this n8n may have taken it.
	const signedAt = Math.floor(Date.now() / 1_000);
	if (!isAccepted(state, id)) noteGiven(state, { id, signedAt }, true);
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

/**
 * Has the service replay what was missed, where n8n cannot call its own address: one at a time, and
 * only while the newest attempt has arrived. One that does not arrive ends it, because twenty
 * failures in a row switch the endpoint off, and each replay may cost three.
 *
 * @param id the endpoint in place; that of another one cannot be replayed
 * @param log its delivery log
 * @returns whether nothing is left
 */
export async function replayMissed(
	endpoints: OwnEndpoints,
	id: string,
	log: readonly WebhookDelivery[],
): Promise<boolean> {
	const { context, state, limits } = endpoints;
	const hasArrived = failuresInARow(log) === 0;
	for (let event = nextMissed(state); event; event = nextMissed(state)) {
		if (event.endpointId !== id) {
			giveUp(endpoints, 'n8n cannot call its own address', [event]);
			continue;
		}
		if (!hasArrived) return false;

		const path = { id, deliveryId: event.id };
		const replay = 'POST /webhooks/{id}/deliveries/{deliveryId}/replay';
		await client.call(context, replay, { path, ...limits });
		endpoints.log('info', `asked for a replay of a missed event: ${described(event)}`);
		if (await arrives(endpoints, event)) continue;

		const text = 'a replayed event did not arrive, and no other is replayed until the next look';
		endpoints.log('warn', `${text}: ${described(event)}`);
		return false;
	}
	return true;
}

/**
 * Waits for a replayed event. In queue mode another process may receive it: then the delivery log
 * tells.
 */
async function arrives(endpoints: OwnEndpoints, event: MissedEvent): Promise<boolean> {
	const { state, limits } = endpoints;
	const { event_id: id, endpointId } = event;
	for (let waited = 0; waited < ARRIVAL_MS; waited += SLICE_MS) {
		if (isAccepted(state, id)) return true;
		limits.signal?.throwIfAborted();
		await client.pause(SLICE_MS, limits.signal);
	}

	const log = await endpoints.readLog(endpointId);
	const hasArrived = log.some(({ event_id, succeeded }) => event_id === id && succeeded);
	if (hasArrived) state.missed.delete(id);
	return hasArrived;
}
