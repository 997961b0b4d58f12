import { isGone, type WebhookDelivery } from '../../client';
import {
	missedEvents,
	spanOf,
	timeOf,
	uncertainSince,
	wasSwitchedOff,
} from '../../service/deliveryLog';
import { MAX_ENTRIES } from '../../service/limits';
import { ANSWERED_EARLY, isAccepted } from '../delivery/acceptance';
import { whyFailed, type OwnEndpoints } from './ownEndpoints';

/**
 * An attempt stands in the log only when it is over, with the time at which it began; and the
 * clocks of two machines differ.
 */
const LOGGED_LATE_MS = 60_000;

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
	const hasFailed = ({ event_id }: WebhookDelivery) =>
		state.events.get(event_id)?.outcome === 'failed';
	// n8n had not taken it yet, and may have failed in another process, or one that was killed.
	const isInDoubt = (attempt: WebhookDelivery) =>
		attempt.response_body === ANSWERED_EARLY || hasFailed(attempt);
	for (const delivery of missedEvents(log, isInDoubt)) {
		const { event_id: eventId, created_at: triedAt } = delivery;
		const isNew = timeOf(triedAt) > runTo || hasFailed(delivery);
		if (isNew && !isAccepted(state, eventId) && !state.missed.has(eventId))
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
