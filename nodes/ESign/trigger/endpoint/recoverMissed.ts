import type { WebhookDelivery } from '../../client';
import { spanOf, timeOf } from '../../service/deliveryLog';
import { isUndecided } from '../delivery/acceptance';
import { collectMissed } from './collectMissed';
import type { InPlace, OwnEndpoints } from './ownEndpoints';
import { endFailures, replayMissed, runMissed } from './runMissed';

/** The three attempts of the service take 45 s (docs/service.md section 6, rules 1 and 2). */
const ATTEMPTS_MS = 50_000;

/**
 * Runs what the endpoint in place has missed, and those that it replaces or that n8n had at other
 * addresses. Then those that are replaced are deleted.
 *
 * @param isReachable whether n8n has just answered at its own address
 * @param begunAt when the look began, in milliseconds since the epoch
 * @returns whether nothing is left to do
 */
export async function recoverMissed(
	endpoints: OwnEndpoints,
	{ fits, replaceable }: InPlace,
	{ isReachable, begunAt }: { isReachable: boolean; begunAt: number },
): Promise<boolean> {
	const { state } = endpoints;
	// One that was made just now has missed nothing.
	const ids = fits.at < begunAt ? [fits.id, ...replaceable] : replaceable;
	// Before that the service may still be at its attempts there; and nobody could replay them.
	const isOver = begunAt - fits.at > ATTEMPTS_MS && isReachable;
	const moved = isOver ? endpoints.movedBefore(fits) : [];

	const logs = new Map<string, WebhookDelivery[] | undefined>();
	for (const id of [...ids, ...moved]) logs.set(id, await collectMissed(endpoints, id));
	const log = logs.get(fits.id) ?? [];
	const isDone = isReachable
		? await runMissed(endpoints, fits.url)
		: await replayMissed(endpoints, fits.id, log);
	if (!isDone || [...logs.values()].includes(undefined)) return false;

	for (const [id, read = []] of logs) state.markLogRun(id, runTo(endpoints, read));
	// Of those at other addresses only what came before the endpoint in place is of interest.
	for (const id of moved) state.markLogRun(id, fits.at);
	const areGone: boolean[] = [];
	for (const id of replaceable) areGone.push(await endpoints.delete(id));
	if (isReachable) await endFailures(endpoints, fits.id, log);
	return !areGone.includes(false);
}

/**
 * Up to when a log was run: what n8n has not answered for yet is read again after a restart.
 */
function runTo({ state }: OwnEndpoints, log: readonly WebhookDelivery[]): number {
	const undecided = log.filter(({ event_id }) => isUndecided(state, event_id));
	const times = [...spanOf(log).slice(-1), ...undecided.map(({ created_at }) => created_at)];
	return times.length > 0 ? Math.min(...times.map(timeOf)) : 0;
}
