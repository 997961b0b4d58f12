import type { WebhookDelivery } from '../../client';
import { spanOf, timeOf } from '../../service/deliveryLog';
import { collectMissed } from './collectMissed';
import type { OwnEndpoints } from './ownEndpoints';
import { endFailures, replayMissed, runMissed } from './runMissed';

/** The three attempts of the service take 45 s (docs/service.md section 6, rules 1 and 2). */
const ATTEMPTS_MS = 50_000;

/** The endpoint in place, and the ids of those that it replaces. */
export type InPlace = { id: string; replaced: string[] };

/** A look at an endpoint. */
export type Look = {
	/** Where n8n is called, and whether it has just answered there. */
	url: string;
	isReachable: boolean;
	/** In milliseconds since the epoch. */
	begunAt: number;
	/** When to leave the rest to the next turn, by the clock that cannot be set. */
	until: number;
};

/**
 * Runs what the endpoint in place has missed, and those that it replaces or that n8n had at other
 * addresses. Then those that are replaced are deleted.
 *
 * @returns whether nothing is left to do
 */
export async function recoverMissed(
	endpoints: OwnEndpoints,
	{ id, replaced }: InPlace,
	look: Look,
): Promise<boolean> {
	const { state } = endpoints;
	const inPlace = state.endpoints.get(id);
	const { at: madeAt = 0 } = inPlace ?? {};
	// One that was made just now has missed nothing.
	const ids = madeAt < look.begunAt ? [id, ...replaced] : replaced;
	// Before that the service may still be at its attempts there; and nobody could replay them.
	const isOver = look.begunAt - madeAt > ATTEMPTS_MS && look.isReachable;
	const moved = inPlace && isOver ? endpoints.movedBefore(inPlace).map((old) => old.id) : [];

	const logs = new Map<string, WebhookDelivery[] | undefined>();
	for (const logId of [...ids, ...moved]) logs.set(logId, await collectMissed(endpoints, logId));
	const isDone = look.isReachable
		? await runMissed(endpoints, look.url, look.until)
		: await replayMissed(endpoints, id, logs.get(id) ?? []);
	if (!isDone || [...logs.values()].includes(undefined)) return false;

	for (const [logId, log = []] of logs) {
		const [, newest = 0] = spanOf(log).map(timeOf);
		// Of those at other addresses only what came before the endpoint in place is of interest.
		state.markLogRun(logId, moved.includes(logId) ? Math.max(newest, madeAt) : newest);
	}
	const areGone = await deleteAll(endpoints, replaced);
	if (look.isReachable) await endFailures(endpoints, id, logs.get(id) ?? []);
	return areGone;
}

async function deleteAll(endpoints: OwnEndpoints, ids: readonly string[]): Promise<boolean> {
	let areGone = true;
	for (const id of ids) {
		const isDeleted = await endpoints.delete(id);
		areGone &&= isDeleted;
	}
	return areGone;
}
