import type { ITriggerFunctions } from 'n8n-workflow';
import {
	eventsToReplay,
	failuresInARow,
	FAILURES_THAT_SWITCH_OFF,
	isReplayRisky,
	spanOf,
	timeOf,
} from '../../service/deliveryLog';
import { MOST_ENTRIES } from '../../service/limits';
import { client, type WebhookDelivery } from '../../client';
import { failedLate, isAccepted } from '../delivery/acceptance';
import { logFieldsOf } from '../identity';
import type { TriggerState } from '../triggerState';
import { described, howToReconcile, readDeliveryLog } from './deleteEndpoint';

/** The service waits ten seconds for an answer, and one attempt may be under way when it is asked for another. */
const ARRIVAL_MS = 15_000;
const SLICE_MS = 200;

/** Says in n8n's log for which time the delivery log shows nothing, as far as nobody has looked meanwhile. */
function reportHidden(
	trigger: ITriggerFunctions,
	state: TriggerState,
	log: readonly WebhookDelivery[],
	id: string,
): void {
	const [begin, end] = spanOf(log) ?? [];
	const from = state.memory.logReadTo ?? new Date(state.endpoints.get(id)?.at ?? Date.now()).toISOString();
	state.memory.logReadTo = end;
	if (log.length < MOST_ENTRIES || !begin || timeOf(begin) <= timeOf(from)) return;
	trigger.logger.warn(
		`eSign: the delivery log shows the last ${MOST_ENTRIES} attempts only, since ${begin}; whether earlier events arrived is not known. ${howToReconcile(from, begin)}`,
		logFieldsOf(trigger),
	);
}

/** Waits for a replayed event. In queue mode another process may receive it: then the delivery log tells. */
async function hasArrived(
	trigger: ITriggerFunctions,
	state: TriggerState,
	endpointId: string,
	eventId: string,
	signal: AbortSignal,
): Promise<boolean> {
	for (let waited = 0; waited < ARRIVAL_MS && !signal.aborted; waited += SLICE_MS) {
		if (isAccepted(state, eventId)) return true;
		await client.pause(SLICE_MS, signal);
	}
	const log = await readDeliveryLog(trigger, endpointId, { signal });
	return log.some(({ event_id, succeeded }) => event_id === eventId && succeeded);
}

/**
 * Has the service replay every event that no attempt delivered, oldest first, each once. One replay at a time: one that does
 * not arrive ends the round, because twenty failures in a row switch the endpoint off, and each replay may cost three. In
 * the next round the other events come first, and once the failures come near the twenty none is replayed before something
 * has arrived. All this is read from the delivery log, so that no restart forgets it.
 *
 * What this n8n accepted although its answer got lost is left out; what it failed to start after it was accepted is among them. What could not be replayed now will be at the next look.
 *
 * @param isReachable whether n8n has just answered at its own address. If not, the newest attempt in the log has to have arrived
 * @returns false if nothing may be replayed before n8n can be reached
 */
export async function replayMissedEvents(
	trigger: ITriggerFunctions,
	state: TriggerState,
	endpointId: string,
	{ isReachable, signal }: { isReachable: boolean; signal: AbortSignal },
): Promise<boolean> {
	const fields = logFieldsOf(trigger);
	const log = await readDeliveryLog(trigger, endpointId, { signal });
	reportHidden(trigger, state, log, endpointId);
	const failures = failuresInARow(log);
	if (!isReachable && (failures > 0 || log.length === 0)) return false;

	const missed = eventsToReplay(log, failedLate(state)).filter(({ event_id }) => !isAccepted(state, event_id));
	if (missed.length === 0) return true;
	if (isReplayRisky(log)) {
		const waiting = missed.map(described).join('; ');
		trigger.logger.warn(
			`eSign: no event is replayed until a delivery arrives, because ${failures} failed in a row, replays among them, and ${FAILURES_THAT_SWITCH_OFF} switch the webhook off. Missed: ${waiting}`,
			fields,
		);
		return true;
	}
	trigger.logger.info(`eSign: ${missed.length} missed events are replayed`, fields);
	for (const delivery of missed) {
		const { id: deliveryId, event_id: eventId } = delivery;
		if (signal.aborted) return true;
		if (isAccepted(state, eventId)) continue;
		const path = { id: endpointId, deliveryId };
		await client.call(trigger, 'POST /webhooks/{id}/deliveries/{deliveryId}/replay', { path, signal });
		trigger.logger.info(`eSign: asked for a replay of a missed event: ${described(delivery)}`, fields);
		if (await hasArrived(trigger, state, endpointId, eventId, signal)) continue;
		if (signal.aborted) return true;
		trigger.logger.warn(
			`eSign: a replayed event did not arrive, and no other is replayed until the next check: ${described(delivery)}`,
			fields,
		);
		return true;
	}
	return true;
}
