import { NodeApiError, type IDataObject } from 'n8n-workflow';
import { inDoubtForGood, perhaps, tooMany } from '../errors/givenUp';
import { Cancelled } from '../pacing/pause';
import type { Call } from './call';
import { isBefore } from './looking/documents';
import { reconcilerOf, type CreatedObject } from './looking/reconcilers';
import { tell, tellOfWait, waitUntil } from './telling';
import type { Unfinished } from './unfinished/unfinished';

/** What the request may have created. No other item has it. */
async function find(call: Call, one: Unfinished): Promise<CreatedObject[]> {
	const began = () => call.key.serverClock.began(one.firstSent).possible;
	const found = await reconcilerOf(call).find(began);
	const { memory, itemTry } = call;
	const isTaken = (id: string) =>
		id !== one.found && (memory.returned.has(id) || itemTry?.ids.includes(id) === true);
	return found.filter((entry) => !isTaken(entry.id) && !isBefore(entry, began()));
}

/**
 * What was certainly created after the request began, the oldest first: what is newer may be that
 * of a later request.
 */
function sureOf(possible: CreatedObject[], call: Call, one: Unfinished): CreatedObject[] {
	const { certain } = call.key.serverClock.began(one.firstSent);
	const sure = possible.filter(({ created_at: createdAt }) => Date.parse(createdAt) >= certain);
	return sure.sort((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at));
}

/**
 * What is thrown where a step that follows a lost answer fails: an error that says so in these
 * words.
 */
export function inDoubt(call: Call, words: string): (error: unknown) => never {
	return (error) => {
		if (error instanceof Cancelled) throw error;
		throw inDoubtForGood(call, words, error instanceof NodeApiError ? error : undefined);
	};
}

/**
 * Brings what was found to the response that was lost; takes away what is of no use without it.
 * @throws NodeApiError
 */
export async function adopt(call: Call, found: CreatedObject): Promise<IDataObject | undefined> {
	const { thing, complete, discard, incomplete = '' } = reconcilerOf(call);
	const step = async () => (discard ? await discard(found) : await (complete?.(found) ?? found));
	return await step().catch(inDoubt(call, `the ${thing} ${found.id}${incomplete}`));
}

/**
 * Looks a few times for what a request in doubt has created: what is not there after the last look
 * has not been created. While others are in doubt whose effects look the same, only the last look
 * counts; if they asked for something else, it cannot be told whose is there. @throws NodeApiError
 * if it cannot be told
 */
export async function lookUntilCertain(
	call: Call,
	one: Unfinished,
): Promise<CreatedObject | undefined> {
	const { settings, deadline, memory } = call;
	const { thing, discard } = reconcilerOf(call);
	const others = memory.unfinished.mistakable(one);
	const certainAt = Math.max(one.certainAt, ...others.map((other) => other.certainAt));
	const early = one.outcome.late && others.length === 0 ? settings.looksMs : [];
	const most = others.every(({ asked }) => asked === one.asked) ? 1 + others.length : 0;
	tellOfWait(call, certainAt);
	for (const at of looksAt(one.lastSentAt, certainAt, early, settings.clock.now())) {
		// A second one is made in time, and the first taken away when it shows.
		if (at >= deadline && discard) return undefined;
		await waitUntil(call, one, at);
		const isLast = at >= certainAt;
		const look = find(isLast ? call : { ...call, attempts: 1 }, one);
		// A service that does not answer an early look will be asked again.
		const possible = await look.catch(
			isLast ? inDoubt(call, `whether the ${thing} was created is not known`) : () => [],
		);
		const sure = sureOf(possible, call, one);
		if (sure.length > most) throw inDoubtForGood(call, tooMany(sure, thing));
		if (sure[0]) return sure[0];
		if (isLast && possible.length > 0) throw inDoubtForGood(call, perhaps(possible, thing));
	}
	return undefined;
}

/**
 * Tells what there may be twice after a call was sent again and has created `id`: the first request
 * may have been carried out later than anybody expected. One more look follows. Throws nothing: the
 * call has its answer.
 */
export async function reportDuplicates(call: Call, one: Unfinished, id: string): Promise<void> {
	const { context, endpoint, request } = call;
	if (endpoint === 'POST /documents' || request.body?.send === false) {
		const draft = `the draft ${id} comes from the next one. There may be a second draft like it, which is never sent.`;
		tell(context, `The answer to a request was lost, and ${draft}`);
	}
	if (one.alike === undefined || one.times === 0) return;
	const { thing, discard } = reconcilerOf(call);
	try {
		for (const twin of sureOf(await find(call, one), call, one)) {
			const twice = `Two ${thing}s were created, ${id} and ${twin.id}: the answer to the first request was lost, and it was carried out after the request had been repeated.`;
			if (discard) {
				await adopt(call, twin);
				context.logger.warn(`eSign: ${twice} ${twin.id} was deleted again.`);
			} else tell(context, `${twice} Check both, and withdraw the one that is not needed.`);
		}
	} catch (error) {
		// Whoever stops the execution has the answer of this call all the same.
		if (error instanceof Cancelled) return;
		const unchecked = `the node could not check whether there are two of ${id}`;
		tell(context, `A request to create the ${thing} was repeated, and ${unchecked}`);
	}
}

/** The times at which to look, from now on. Of those that have passed one is enough. */
export function looksAt(
	lastSentAt: number,
	certainAt: number,
	looksMs: readonly number[],
	now: number,
): number[] {
	const early = looksMs.map((afterMs) => lastSentAt + afterMs).filter((at) => at < certainAt);
	const times = [...early, certainAt];
	return times.filter((_, index) => (times[index + 1] ?? Infinity) > now);
}
