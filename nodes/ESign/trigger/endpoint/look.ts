import type { WebhookDelivery } from '../../client';
import { spanOf, timeOf } from '../../service/deliveryLog';
import type { WebhookList } from '../../waiting/registerWithTriggers';
import { share } from '../share';
import type { KnownEndpoint, WantedEndpoint } from '../triggerState';
import { createEndpoint } from './createEndpoint';
import { OwnEndpoints, type Found } from './ownEndpoints';
import { collectMissed, endFailures, replayMissed, runMissed } from './missed';

/** The three attempts of the service take 45 s (docs/service.md section 6, rules 1 and 2). */
export const ATTEMPTS_MS = 50_000;

/**
 * Checks the endpoint, puts another in its place if it does not fit, and runs what was missed.
 *
 * @param list what the service has
 * @returns whether nothing is left to do
 * @throws NodeApiError the service refused, or did not answer
 */
export async function lookAfterEndpoint(
	endpoints: OwnEndpoints,
	wanted: WantedEndpoint,
	list: WebhookList,
): Promise<boolean> {
	const { context, state, limits } = endpoints;
	limits.signal?.throwIfAborted();
	const found = endpoints.find(wanted, list);
	if (found.fits) return await recoverMissed(endpoints, found.fits, found);

	// Without an answer it is unknown whether the workflow is active at all, and who would hold the
	// secret, unless the service has reached this very process.
	if (!endpoints.isReachable && !state.activation.isProven) {
		const what = 'the webhook is gone or switched off';
		const remedy = 'If that lasts, publish the workflow again.';
		endpoints.log('error', `${what}, and is registered again once n8n answers. ${remedy}`);
		return false;
	}
	const made = await createEndpoint(endpoints, wanted, found);
	const { id } = made;
	// The trigger was switched off meanwhile: n8n's own hook could not delete what was not yet there.
	if (limits.signal?.aborted && !state.watch) await new OwnEndpoints(context, state, {}).delete(id);
	limits.signal?.throwIfAborted();
	// In queue mode other processes receive the deliveries; and after a restart only static data is
	// left.
	const obstacle = await share(context, state, wanted.url, { abortSignal: limits.signal });
	if (obstacle)
		endpoints.log('warn', `webhook ${id} is not known to all n8n processes yet: ${obstacle}`);
	return await recoverMissed(endpoints, made, found);
}

/**
 * Runs what the endpoint in place has missed, and those that it replaces or that n8n had at other
 * addresses. Then those that are replaced are deleted.
 *
 * @returns whether nothing is left to do
 */
export async function recoverMissed(
	endpoints: OwnEndpoints,
	fits: KnownEndpoint,
	{ replaceable, askedAt }: Found,
): Promise<boolean> {
	const { state, isReachable } = endpoints;
	// One that was made just now has missed nothing.
	const ids = fits.at < askedAt ? [fits.id, ...replaceable] : [...replaceable];
	// Before that the service may still be at its attempts there; and nobody could replay them.
	const isOver = Date.now() - fits.at > ATTEMPTS_MS && isReachable;
	const moved = isOver ? endpoints.movedBefore(fits) : [];

	const logs = new Map<string, WebhookDelivery[] | undefined>();
	for (const id of [...ids, ...moved]) logs.set(id, await collectMissed(endpoints, id));
	const log = logs.get(fits.id) ?? [];
	const isDone = isReachable
		? await runMissed(endpoints, fits.url)
		: await replayMissed(endpoints, fits.id, log);
	if (!isDone || [...logs.values()].includes(undefined)) return false;

	for (const [id, read = []] of logs) {
		// What n8n has not started yet is read again after a restart.
		const isPending = ({ event_id }: WebhookDelivery) => state.missed.has(event_id);
		const pending = read.filter(isPending).map(({ created_at }) => created_at);
		const times = [...pending, ...spanOf(read).slice(-1)].map(timeOf);
		if (times.length > 0) state.markLogRun(id, Math.min(...times));
	}
	// Of those at other addresses only what came before the endpoint in place is of interest.
	for (const id of moved) state.markLogRun(id, fits.at);
	const areGone: boolean[] = [];
	for (const id of replaceable) areGone.push(await endpoints.delete(id));
	if (isReachable) await endFailures(endpoints, fits.id, log);
	return !areGone.includes(false);
}
