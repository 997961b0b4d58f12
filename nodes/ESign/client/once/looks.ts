import { asThrown } from '../errors/asThrown';
import { TurnTooLate } from '../pacing/oneAtATime';
import { Cancelled } from '../pacing/pause';
import type { Call } from './call';
import { failWith, type CreatedObject, type LookFilter, type Reconciler } from './looking/lookFilter';
import { reconcilerOf } from './looking/reconcilers';
import { tell, tellOfWait, waitUntil } from './telling';
import { inDoubtForGood, outOfTime } from './unanswered';
import type { Unfinished } from './unfinished/unfinished';

/** Calls that would create the very same, and the looks for it, go one after the other in this process. */
export async function inTurn<Result>(call: Call, alike: string, work: () => Promise<Result>): Promise<Result> {
	const { memory, settings, service } = call;
	try {
		return await memory.oneAtATime.run(`${service.workspaceMode} ${alike}`, settings.clock, call, work);
	} catch (error) {
		if (error instanceof TurnTooLate) throw outOfTime(call, 'another call is creating the same one', false);
		throw asThrown(error);
	}
}

/**
 * Looks a few times for what a request in doubt has created: what is there is found early, and what is not there after the
 * last look has not been created. While requests are in doubt whose effects look the same, only the last look counts; if
 * they asked for something else, it cannot be told whose is there.
 *
 * @throws NodeApiError if it cannot be told
 */
export async function lookUntilCertain(
	call: Call,
	{ thing, find, discard }: Reconciler,
	one: Unfinished,
): Promise<CreatedObject | undefined> {
	const { settings, deadline, memory } = call;
	const { reason, late } = one.outcome;
	const others = memory.unfinished.mistakable(one);
	const certainAt = Math.max(one.certainAt, ...others.map((other) => other.certainAt));
	const early = late && others.length === 0 ? settings.looksMs : [];
	const isOfEqual = others.every(({ asked }) => asked === one.asked);
	const most = isOfEqual ? 1 + others.length : 0;
	const words = `whether the ${thing} was created is not known`;
	tellOfWait(call, certainAt);
	for (const at of looksAt(one.lastSentAt, certainAt, early, settings.clock.now())) {
		if (at >= deadline) {
			// A second one is made in time, and the first taken away when it shows.
			if (discard) return undefined;
			throw outOfTime(call, reason, true);
		}
		await waitUntil(call, at);
		const isLast = at >= certainAt;
		const filter = filterOf(call, one, isLast ? undefined : 1);
		// A service that does not answer an early look will be asked again.
		const possible = isLast
			? await failWith(filter, words, async () => await find(filter))
			: await find(filter).catch(notFound);
		const found = possible.filter((entry) => filter.isSince(entry));
		if (found.length > most) throw filter.stop(tooMany(found, thing));
		if (found[0]) return found[0];
		if (isLast && possible.length > 0) throw filter.stop(perhaps(possible, thing));
	}
	return undefined;
}

/**
 * Looks once more after a call was sent again and answered: the first request may have been carried out when nobody expected
 * it any more. Throws nothing: the call has its answer, and what was created is created.
 *
 * @param id of what the repetition has created
 */
export async function reportDuplicates(call: Call, one: Unfinished, id: string): Promise<void> {
	const { context } = call;
	const { thing, find, discard } = reconcilerOf(call);
	const filter = filterOf(call, one);
	try {
		for (const twin of (await find(filter)).filter((found) => found.id !== id && filter.isSince(found))) {
			if (!discard) {
				tell(context, `${createdTwice(thing, id, twin)} Check both, and withdraw the one that is not needed.`);
				continue;
			}
			await discard(filter, twin);
			context.logger.warn(`eSign: ${createdTwice(thing, id, twin)} ${twin.id} was deleted again.`);
		}
	} catch (error) {
		// Whoever stops the execution has the answer of this call all the same.
		if (error instanceof Cancelled) return;
		tell(
			context,
			`A request to create the ${thing} was repeated, and the node could not check whether there are two of ${id}`,
		);
	}
}

/** What a look for the effect of a request goes by. */
export function filterOf(
	call: Call,
	{ firstSent, found }: Pick<Unfinished, 'firstSent' | 'found'>,
	attempts?: number,
): LookFilter {
	const { context, ask, key, memory } = call;
	return {
		context,
		ask: async (endpoint, request) => await ask(endpoint, request, attempts),
		since: () => key.serverClock.began(firstSent).possible,
		isSince: (entry) => Date.parse(entry.created_at) >= key.serverClock.began(firstSent).certain,
		isTaken: (id) => id !== found && memory.returned.has(id),
		stop: (words, cause) => inDoubtForGood(call, words, cause),
	};
}

/** The times at which to look, from now on. Of those that have passed one is enough. */
export function looksAt(lastSentAt: number, certainAt: number, looksMs: readonly number[], now: number): number[] {
	if (certainAt <= now) return [certainAt];
	const early = looksMs.map((afterMs) => lastSentAt + afterMs).filter((at) => at < certainAt);
	const passed = early.filter((at) => at <= now).length;
	return [...early.slice(Math.max(0, passed - 1)), certainAt];
}

function notFound(error: unknown): CreatedObject[] {
	if (error instanceof Cancelled) throw asThrown(error);
	return [];
}

function idsOf(found: CreatedObject[]): string {
	return found.map(({ id }) => id).join(', ');
}

function tooMany(found: CreatedObject[], thing: string): string {
	return `${found.length} ${thing}${found.length === 1 ? ' fits' : 's fit'} and it is not clear which of them is the one: ${idsOf(found)}`;
}

function perhaps(possible: CreatedObject[], thing: string): string {
	return `whether it created the ${thing} ${idsOf(possible)} or that was there before is not clear, because the clocks of n8n, of the service and of a proxy between them disagree`;
}

function createdTwice(thing: string, id: string, twin: CreatedObject): string {
	return `Two ${thing}s were created, ${id} and ${twin.id}: the answer to the first request was lost, and it was carried out after the request had been repeated.`;
}
