import { uncertainSince, wasSwitchedOff, missedEvents } from '../../service/deliveryLog';
import { MOST_ENTRIES } from '../../service/limits';
import { client, readCallFailure, type WebhookDelivery } from '../../client';
import { isAccepted } from '../delivery/acceptance';
import { logFieldsOf } from '../identity';
import type { EndpointContext, Limits } from '../share';
import type { TriggerState } from '../triggerState';

/** The newest attempts of an endpoint, as many as the service gives. */
export async function readDeliveryLog(
	context: EndpointContext,
	id: string,
	limits: Limits,
): Promise<WebhookDelivery[]> {
	const request = { path: { id }, query: { limit: MOST_ENTRIES }, ...limits };
	return (await client.call(context, 'GET /webhooks/{id}/deliveries', request)).data;
}

/** A delivery as n8n's log names it. */
export const described = ({ event, event_id, document_id, created_at }: WebhookDelivery): string =>
	`${event} ${event_id}${document_id ? ` of document ${document_id}` : ''}, last tried ${created_at}`;

/** What to do about events that are in no log. */
export const howToReconcile = (since: string, until = new Date().toISOString()): string =>
	`Compare the documents that changed between ${since} and ${until} with what your workflow has seen: the example workflow "Reconcile missed events" does (examples/reconcile-missed-events.json in the repository of this package).`;

/** Logs each event of an endpoint that never arrived, and the span of time for which its log says nothing. */
async function reportLoss(context: EndpointContext, state: TriggerState, id: string, limits: Limits): Promise<void> {
	const fields = logFieldsOf(context);
	try {
		const log = await readDeliveryLog(context, id, limits);
		const missed = missedEvents(log).filter(({ event_id }) => !isAccepted(state, event_id));
		for (const delivery of missed) {
			context.logger.warn(`eSign: an event of webhook ${id} never arrived: ${described(delivery)}`, fields);
		}
		const isOff = wasSwitchedOff(log);
		if (missed.length === 0 && !isOff) return;
		const why = isOff ? 'had been switched off after too many failed deliveries' : 'missed events';
		context.logger.warn(`eSign: webhook ${id} ${why} and is deleted. ${howToReconcile(uncertainSince(log))}`, fields);
	} catch (error) {
		const { status, message } = readCallFailure(error);
		if (status === 404) return;
		context.logger.warn(
			`eSign: the delivery log of webhook ${id}, which is deleted, could not be read: ${message}. Events that it missed are not known.`,
			fields,
		);
	}
}

/**
 * Deletes an endpoint, and with it its delivery log, which is read before that. One that is gone already is as good. It
 * leaves the set when it is gone; a failure is logged, and the next look tries again.
 *
 * @returns whether it is gone
 */
export async function deleteEndpoint(
	context: EndpointContext,
	state: TriggerState,
	id: string,
	{ isTest, ...limits }: Limits & { isTest?: boolean },
): Promise<boolean> {
	if (!isTest) await reportLoss(context, state, id, limits);
	try {
		await client.call(context, 'DELETE /webhooks/{id}', { path: { id }, ...limits });
	} catch (error) {
		const { status, message } = readCallFailure(error);
		if (status !== 404) {
			context.logger.warn(`eSign: webhook ${id} could not be deleted: ${message}`, logFieldsOf(context));
			return false;
		}
	}
	state.endpoints.remove(id);
	return true;
}
