import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';
import { apiRequest, type WebhookDelivery, type WebhookEndpoint } from '../../transport';
import { isDuplicate } from '../delivery/deduplication';
import { failureOf } from './failures';
import { logFieldsOf } from './identity';
import type { BackgroundRun, TriggerMemory } from './memory';
import { missedEvents, uncertainSince } from '../../service/deliveryLog';
import { pause } from './pause';
import type { TriggerState } from './state';

/** The most that the service gives of a delivery log, which has no cursor (docs/service.md section 4). */
const LOG_LIMIT = 100;
/**
 * How long an activation waits for replays: a little over one rate window. At ten requests a minute a hundred of them take
 * ten minutes, and n8n 2.41 gives up on an activation after 84 seconds.
 */
const FOREGROUND_MS = 65_000;
const FIRST_RETRY_MS = 30_000;
const LONGEST_RETRY_MS = 600_000;

type RecoveryContext = IHookFunctions | ITriggerFunctions;

/** The newest attempts of an endpoint, as many as the service gives. */
async function deliveryLog(context: RecoveryContext, id: string): Promise<WebhookDelivery[]> {
	const { data } = await apiRequest(context, 'GET /webhooks/{id}/deliveries', {
		path: { id },
		query: { limit: LOG_LIMIT },
	});
	return data;
}

const described = ({ event, event_id, document_id, created_at }: WebhookDelivery): string =>
	`${event} ${event_id}${document_id ? ` of document ${document_id}` : ''}, last tried ${created_at}`;

async function replay(
	context: RecoveryContext,
	endpointId: string,
	missed: readonly WebhookDelivery[],
	memory: TriggerMemory,
	run: BackgroundRun,
): Promise<void> {
	const fields = logFieldsOf(context);
	for (const delivery of missed) {
		if (run.stopped) return;
		// The service may have delivered it meanwhile: of a retry of its own, or of a replay by hand.
		if (memory.accepted().some(({ id }) => id === delivery.event_id)) continue;
		memory.markReplayed(delivery.event_id);
		try {
			const path = { id: endpointId, deliveryId: delivery.id };
			await apiRequest(context, 'POST /webhooks/{id}/deliveries/{deliveryId}/replay', { path });
			context.logger.info(`eSign: asked for a replay of a missed event: ${described(delivery)}`, fields);
		} catch (error) {
			const { message } = failureOf(error);
			context.logger.warn(
				`eSign: a missed event could not be replayed, and will be at the next start: ${described(delivery)}: ${message}`,
				fields,
			);
		}
	}
}

/**
 * Has the service replay every event that no attempt delivered, oldest first, each once. What this trigger accepted
 * although its answer got lost is left out. The delivery log is the memory of what was replayed: a replay that arrives
 * succeeds there, one that fails does not and is asked for again at the next start.
 *
 * Returns when all are asked for, or after 65 seconds and then goes on in the background: the transport paces to the rate
 * limit, and n8n gives up on an activation that takes minutes.
 */
async function recover(
	context: RecoveryContext,
	endpointId: string,
	state: TriggerState,
	memory: TriggerMemory,
	run: BackgroundRun,
	isDue: (delivery: WebhookDelivery) => boolean = () => true,
): Promise<void> {
	const log = await deliveryLog(context, endpointId);
	const accepted = new Set([...state.seen, ...memory.accepted()].map(({ id }) => id));
	const missed = missedEvents(log).filter((delivery) => !accepted.has(delivery.event_id) && isDue(delivery));
	if (missed.length === 0) return;
	const fields = logFieldsOf(context);
	context.logger.info(`eSign: ${missed.length} missed events are replayed`, fields);
	if (log.length >= LOG_LIMIT) {
		context.logger.warn(
			`eSign: the delivery log shows the last ${LOG_LIMIT} attempts only; events before ${missed[0]?.created_at} may be missing`,
			fields,
		);
	}
	let finished = false;
	const replays = replay(context, endpointId, missed, memory, run).finally(() => (finished = true));
	await Promise.race([replays, pause(FOREGROUND_MS, () => finished || run.stopped)]);
}

/**
 * As `recover`, for an endpoint found again. A delivery log that cannot be read does not keep the trigger from starting.
 *
 * @param isDue which of the missed events are to be replayed now, by their latest attempt
 */
export async function replayMissedEvents(
	context: RecoveryContext,
	endpointId: string,
	state: TriggerState,
	memory: TriggerMemory,
	isDue?: (delivery: WebhookDelivery) => boolean,
): Promise<void> {
	try {
		await recover(context, endpointId, state, memory, memory.beginRun(), isDue);
	} catch (error) {
		context.logger.warn(
			`eSign: the delivery log of webhook ${endpointId} could not be read for missed events: ${failureOf(error).message}`,
			logFieldsOf(context),
		);
	}
}

/**
 * For a start with the service out of reach: keeps trying in the background until it answers, then checks that the
 * endpoint is still in place and replays what was missed. Ends when the trigger is switched off or checked again.
 */
export async function replayOnceReachable(
	context: RecoveryContext,
	endpointId: string,
	state: TriggerState,
	memory: TriggerMemory,
): Promise<void> {
	const run = memory.beginRun();
	for (let wait = FIRST_RETRY_MS; ; wait = Math.min(wait * 2, LONGEST_RETRY_MS)) {
		await pause(wait, () => run.stopped);
		if (run.stopped) return;
		try {
			const { data } = await apiRequest(context, 'GET /webhooks');
			const endpoint = data.find(({ id }) => id === endpointId);
			if (endpoint?.status === 'ACTIVE') return await recover(context, endpointId, state, memory, run);
			if (!(await memory.lookAfterEndpoint())) {
				context.logger.error(
					`eSign: webhook ${endpointId} is ${endpoint ? 'switched off' : 'gone'}: deactivate and activate the workflow`,
					logFieldsOf(context),
				);
			}
			return;
		} catch (error) {
			context.logger.warn(
				`eSign: the service is still out of reach: ${failureOf(error).message}`,
				logFieldsOf(context),
			);
		}
	}
}

/**
 * Before an endpoint is deleted, and its delivery log with it: logs each event in it that never arrived, and the
 * span of time to reconcile. What the service dropped while the endpoint was off is in no log.
 */
export async function reportLoss(
	context: RecoveryContext,
	endpoint: WebhookEndpoint,
	state: TriggerState,
	memory: TriggerMemory,
): Promise<void> {
	const fields = logFieldsOf(context);
	const reconcile = (since: string) =>
		`Compare the documents that changed between ${since} and ${new Date().toISOString()} with what your workflow has seen: the example workflow "Reconcile missed events" does (examples/reconcile-missed-events.json in the repository of this package).`;
	try {
		const log = await deliveryLog(context, endpoint.id);
		const now = Date.now();
		const missed = missedEvents(log).filter(
			({ event_id }) => !isDuplicate([...state.seen, ...memory.accepted()], event_id, now),
		);
		for (const delivery of missed) {
			context.logger.warn(`eSign: an event of webhook ${endpoint.id} never arrived: ${described(delivery)}`, fields);
		}
		if (missed.length === 0 && endpoint.status === 'ACTIVE') return;
		const since = uncertainSince(endpoint, log);
		context.logger.warn(
			`eSign: webhook ${endpoint.id} ${endpoint.status === 'DISABLED' ? 'had been switched off after too many failed deliveries' : 'missed events'} and is deleted. ${reconcile(since)}`,
			fields,
		);
	} catch (error) {
		context.logger.warn(
			`eSign: the delivery log of webhook ${endpoint.id}, which is deleted, could not be read: ${failureOf(error).message}. ${reconcile(endpoint.created_at)}`,
			fields,
		);
	}
}
