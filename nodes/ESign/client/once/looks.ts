import { asThrown } from '../errors/asThrown';
import { TurnTooLate } from '../pacing/oneAtATime';
import { Cancelled, pause, throwIfCancelled } from '../pacing/waiting';
import type { Unfinished } from '../session/unfinished';
import type { Call } from './call';
import { failWith, type CreatedObject, type Reconciler, type Search } from './looking';
import { addWaited, tellOfWait } from './telling';
import { inDoubtForGood, outOfTime } from './unanswered';

/** Calls that would create the very same, and the looks for it, go one after the other in this process. */
export async function inTurn<Result>(
	{ session, site }: Pick<Call, 'session' | 'site'>,
	alike: string,
	work: () => Promise<Result>,
): Promise<Result> {
	const { settings, state, service } = session;
	try {
		return await state.effects.oneAtATime.run(`${service.place} ${alike}`, settings.clock, session, work);
	} catch (error) {
		if (error instanceof TurnTooLate) throw outOfTime(site, 'another call is creating the same one', false);
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
	reconciler: Reconciler,
	one: Unfinished,
): Promise<CreatedObject | undefined> {
	const { session, site } = call;
	const { settings, signal, deadline, state } = session;
	const { reason, late } = one.outcome;
	const others = state.effects.unfinished.mistakable(one);
	const certainAt = Math.max(one.certainAt, ...others.map((other) => other.certainAt));
	const early = late && others.length === 0 ? settings.looksMs : [];
	const most = others.every(({ asked }) => asked === one.asked) ? 1 + others.length : others.length > 0 ? 0 : 1;
	const search = searchOf(call, one);
	tellOfWait(call, certainAt - settings.clock.now());
	for (const at of looksAt(one.lastSentAt, certainAt, early, settings.clock.now())) {
		if (at >= deadline) {
			// A second one is made in time, and the first taken away when it shows.
			if (reconciler.discard) return undefined;
			throw outOfTime(site, reason, true);
		}
		const waitMs = at - settings.clock.now();
		await pause(settings.clock, waitMs, signal);
		throwIfCancelled(signal);
		addWaited(call, waitMs);
		const possible =
			at < certainAt ? await lookOnce(reconciler, searchOf(call, one, 1)) : await lookWithRetries(reconciler, search);
		const found = possible.filter((entry) => search.isSince(entry));
		if (found.length > most) throw search.stop(tooMany(found, reconciler.thing));
		if (found[0]) return found[0];
		if (at >= certainAt && possible.length > 0) throw search.stop(perhaps(possible, reconciler.thing));
	}
	return undefined;
}

/** What a look for the effect of a request goes by. */
export function searchOf(
	{ session, ask, site }: Call,
	{ firstSent, found }: Pick<Unfinished, 'firstSent' | 'found'>,
	attempts?: number,
): Search {
	const { serverClock, effects } = session.state;
	return {
		context: session.context,
		ask: async (endpoint, request, how) => await ask(endpoint, request, { attempts, ...how }),
		since: () => serverClock.began(firstSent).possible,
		isSince: (entry) => Date.parse(entry.created_at) >= serverClock.began(firstSent).certain,
		isTaken: (id) => id !== found && effects.returned.has(id),
		stop: (words, cause) => inDoubtForGood(site, words, cause),
	};
}

/** One request. A service that does not answer it will be asked again. */
async function lookOnce(reconciler: Reconciler, search: Search): Promise<CreatedObject[]> {
	try {
		return await reconciler.find(search);
	} catch (error) {
		if (error instanceof Cancelled) throw asThrown(error);
		return [];
	}
}

async function lookWithRetries(reconciler: Reconciler, search: Search): Promise<CreatedObject[]> {
	const words = `whether the ${reconciler.thing} was created is not known`;
	return await failWith(search, words, async () => await reconciler.find(search));
}

/** The times at which to look, from now on. Of those that have passed one is enough. */
function looksAt(lastSentAt: number, certainAt: number, looksMs: readonly number[], now: number): number[] {
	if (certainAt <= now) return [certainAt];
	const early = looksMs.map((afterMs) => lastSentAt + afterMs).filter((at) => at < certainAt);
	const passed = early.filter((at) => at <= now).length;
	return [...early.slice(Math.max(0, passed - 1)), certainAt];
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
