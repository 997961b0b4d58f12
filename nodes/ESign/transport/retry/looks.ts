import type { NodeApiError } from 'n8n-workflow';
import { asThrown } from '../errors/asThrown';
import { lostAnswerHint } from '../pacing/hints';
import { Cancelled, pause, throwIfCancelled } from '../pacing/waiting';
import type { Instant } from '../context/settings';
import type { Creation } from '../session/doubts';
import type { Errand } from './errand';
import { inDoubtForGood, outOfTime } from './givingUp';
import { orStop, type Effect, type Reconciler, type Search } from './lookFirst';
import type { Unknown } from '../http/outcome';

/** Never: nothing was sent yet that could have had an effect. */
const NEVER: Instant = { at: Infinity, today: Infinity };

/**
 * Looks a few times for what a call in doubt has created: what is there is found early, and what is not there after the last
 * look has not been created. While an equal call is in doubt as well, only the last look counts, and each of them gets one of
 * what is there.
 *
 * @throws NodeApiError if it cannot be told
 */
export async function lookUntilCertain(
	errand: Errand,
	reconciler: Reconciler,
	creation: Creation,
	{ reason, late }: Unknown,
): Promise<Effect | undefined> {
	const { session, site, name } = errand;
	const { settings, context, signal, deadline } = session;
	const others = session.state.effects.doubts.mistakable(name, creation);
	const certainAt = Math.max(creation.certainAt, ...others.map((other) => other.certainAt));
	const early = late && others.length === 0 ? settings.looksMs : [];
	const search = searchOf(errand, creation);
	for (const at of looksAt({ ...creation, certainAt }, early, settings.clock.now())) {
		if (at >= deadline) throw outOfTime(site, reason, true);
		const waitMs = at - settings.clock.now();
		await pause(settings.clock, waitMs, signal);
		throwIfCancelled(signal);
		lostAnswerHint.add(context, waitMs, settings.hintAfterMs);
		const possible =
			at < certainAt ? await glance(reconciler, searchOf(errand, creation, 1)) : await lookHard(reconciler, search);
		const found = possible.filter((one) => search.isSince(one));
		if (found.length > 1 + others.length) throw ambiguous(search, tooMany(found, reconciler.thing));
		if (found[0]) return found[0];
		if (at >= certainAt && possible.length > 0) throw ambiguous(search, perhaps(possible, reconciler.thing));
	}
	return undefined;
}

/**
 * What a look for the effect of a call goes by.
 *
 * @param call when it was sent first, and what an earlier look has found
 */
export function searchOf(
	{ session, ask, site }: Errand,
	{ firstSent = NEVER, found }: { firstSent?: Instant; found?: string },
	attempts?: number,
): Search {
	const { serverClock, effects } = session.state;
	return {
		ask: async (endpoint, request, how) => await ask(endpoint, request, { attempts, ...how }),
		since: () => serverClock.began(firstSent).possible,
		isSince: (entry) => Date.parse(entry.created_at) >= serverClock.began(firstSent).certain,
		isTaken: (id) => id !== found && effects.returned.has(id),
		stop: (words, cause) => inDoubtForGood(site, words, cause),
	};
}

/** One request. A service that does not answer it will be asked again. */
async function glance(reconciler: Reconciler, search: Search): Promise<Effect[]> {
	try {
		return await reconciler.find(search);
	} catch (error) {
		if (error instanceof Cancelled) throw asThrown(error);
		return [];
	}
}

async function lookHard(reconciler: Reconciler, search: Search): Promise<Effect[]> {
	const words = `whether the ${reconciler.thing} was created is not known`;
	return await orStop(search, words, async () => await reconciler.find(search));
}

/** The times at which to look, from now on. Of those that have passed one is enough. */
function looksAt({ lastSentAt, certainAt }: Creation, looksMs: readonly number[], now: number): number[] {
	if (certainAt <= now) return [certainAt];
	const early = looksMs.map((afterMs) => lastSentAt + afterMs).filter((at) => at < certainAt);
	const passed = early.filter((at) => at <= now).length;
	return [...early.slice(Math.max(0, passed - 1)), certainAt];
}

/** What is there does not tell, and no later look will. */
function ambiguous(search: Search, words: string): NodeApiError {
	const error = search.stop(words);
	Object.assign(error.context, { isAmbiguous: true });
	return error;
}

function tooMany(found: Effect[], thing: string): string {
	const ids = found.map(({ id }) => id).join(', ');
	return `${found.length} ${thing}s fit and it cannot be told which of them is the one: ${ids}`;
}

function perhaps(possible: Effect[], thing: string): string {
	const ids = possible.map(({ id }) => id).join(', ');
	const clocks = 'the clocks of n8n, of the service and of a proxy between them disagree';
	return `whether it created the ${thing} ${ids} or that was there before cannot be told, because ${clocks}`;
}
