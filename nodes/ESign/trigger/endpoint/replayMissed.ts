import {
	eventsToReplay,
	failuresInARow,
	FAILURES_THAT_SWITCH_OFF,
	isReplayRisky,
	spanOf,
	timeOf,
} from '../../service/deliveryLog';
import { MAX_ENTRIES } from '../../service/limits';
import { client, type WebhookDelivery } from '../../client';
import { failedLate, isAccepted } from '../delivery/acceptance';
import { described, howToReconcile, type OwnEndpoints } from './ownEndpoints';

/**
 * The service waits ten seconds for an answer, and one attempt may be under way when it is asked
 * for another.
 */
const ARRIVAL_MS = 15_000;
const SLICE_MS = 200;

/**
 * Says in n8n's log for which time the delivery log shows nothing, as far as nobody has looked
 * meanwhile.
 */
function reportHidden(endpoints: OwnEndpoints, log: readonly WebhookDelivery[], id: string): void {
	const { state } = endpoints;
	const [begin, end] = spanOf(log);
	if (!begin || !end) return;
	const from = Math.max(state.endpoints.get(id)?.at ?? Date.now(), state.logReadTo);
	state.logReadTo = timeOf(end);
	if (log.length < MAX_ENTRIES || timeOf(begin) <= from) return;
	const text = `the delivery log shows the last ${MAX_ENTRIES} attempts only, since ${begin}; whether earlier events arrived is not known.`;
	endpoints.log('warn', `${text} ${howToReconcile(from, begin)}`);
}

/**
 * Waits for a replayed event. In queue mode another process may receive it: then the delivery log
 * tells.
 */
async function hasArrived(endpoints: OwnEndpoints, id: string, eventId: string): Promise<boolean> {
	const { signal } = endpoints.limits;
	for (let waited = 0; waited < ARRIVAL_MS && !signal?.aborted; waited += SLICE_MS) {
		if (isAccepted(endpoints.state, eventId)) return true;
		await client.pause(SLICE_MS, signal);
	}
	return (await endpoints.readLog(id)).some(
		({ event_id, succeeded }) => event_id === eventId && succeeded,
	);
}

/**
 * Has the service replay every event that no attempt delivered, oldest first, each once. One replay
 * at a time: one that does not arrive ends the round, because twenty failures in a row switch the
 * endpoint off, and each replay may cost three. All this is read from the delivery log, so that no
 * restart forgets it. What this n8n accepted although its answer got lost is left out; what it
 * failed to start after it was accepted is among them.
 *
 * @param isReachable whether n8n has just answered at its own address. If not, the newest attempt
 * in the log has to have arrived
 * @returns false if nothing may be replayed before n8n can be reached
 */
export async function replayMissedEvents(
	endpoints: OwnEndpoints,
	id: string,
	isReachable: boolean,
): Promise<boolean> {
	const { context, state, limits } = endpoints;
	const log = await endpoints.readLog(id);
	reportHidden(endpoints, log, id);
	const missed = eventsToReplay(log, failedLate(state)).filter(
		({ event_id }) => !isAccepted(state, event_id),
	);
	if (missed.length === 0) return true;
	const failures = failuresInARow(log);
	if (!isReachable && failures > 0) return false;
	if (isReplayRisky(log)) {
		const why = `${failures} failed in a row, replays among them, and ${FAILURES_THAT_SWITCH_OFF} switch the webhook off`;
		const waiting = missed.map(described).join('; ');
		endpoints.log(
			'warn',
			`no event is replayed until a delivery arrives, because ${why}. Missed: ${waiting}`,
		);
		return true;
	}
	endpoints.log('info', `missed events are replayed: ${missed.length}`);
	for (const delivery of missed) {
		// The service may have delivered it meanwhile.
		if (isAccepted(state, delivery.event_id)) continue;
		const path = { id, deliveryId: delivery.id };
		await client.call(context, 'POST /webhooks/{id}/deliveries/{deliveryId}/replay', {
			path,
			...limits,
		});
		endpoints.log('info', `asked for a replay of a missed event: ${described(delivery)}`);
		if (await hasArrived(endpoints, id, delivery.event_id)) continue;
		limits.signal?.throwIfAborted();
		const text = 'a replayed event did not arrive, and no other is replayed until the next check';
		endpoints.log('warn', `${text}: ${described(delivery)}`);
		break;
	}
	return true;
}
