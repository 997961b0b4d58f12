import { randomUUID } from 'crypto';
import { CUT_SHORT } from '../../call/outcome';
import { asThrown, isGone, leavesOpen } from '../../errors/failure';
import { alreadySent, outOfTime } from '../../errors/givenUp';
import { fingerprint } from '../../fingerprint';
import { TurnTooLate } from '../../pacing/oneAtATime';
import { timestampOf } from '../../settings';
import { ask, callOf, type Call } from '../call';
import { reconcilerOf } from '../looking/reconcilers';
import { adopt, lookUntilCertain } from '../looks';
import { AGAIN, LOOK_FIRST, policyOf } from '../policies';
import { tell, waitUntilCertain } from '../telling';
import type { Unfinished } from './unfinished';

/** A document that people can sign, or have signed. */
const OUT = ['in_progress', 'completed'];

/**
 * What a document is asked for by: what its draft is made of, and what else is done with it before
 * it is through.
 */
export type DraftAsked = { draft: unknown; whole: unknown };

/**
 * What a call is about to ask for first. Of POST /documents, the draft may be asked for by more
 * than the body.
 */
export function unsent(call: Call, document?: DraftAsked): Unfinished {
	const { service, endpoint, path, request, itemTry, settings } = call;
	const { workspaceMode } = service;
	// A call that replaces something counts for whatever comes after it.
	const body = endpoint.startsWith('PUT ') ? undefined : request.body;
	const isKept = document !== undefined || policyOf(call) !== AGAIN;
	const asked = isKept
		? fingerprint([workspaceMode, endpoint, path, document ? document.draft : body])
		: '';
	const now = timestampOf(settings.clock);
	return {
		id: randomUUID(),
		workspaceMode,
		endpoint,
		asked,
		whole: document && fingerprint([asked, document.whole]),
		request: { path: request.path, body },
		alike: policyOf(call) === LOOK_FIRST ? reconcilerOf(call).alike : document && asked,
		items: itemTry ? [itemTry.item] : [],
		line: itemTry?.line,
		run: itemTry?.run && fingerprint([call.run.execution, itemTry.run]),
		raw: itemTry?.raw,
		firstSent: now,
		lastSentAt: now.at,
		certainAt: now.at,
		times: 0,
		outcome: CUT_SHORT,
		isOpen: false,
	};
}

/**
 * Goes on with the unfinished request that is taken over, or begins this one. What creates
 * something goes one after the other with all requests of its name in this process, and after what
 * earlier tries have left. `work` leaves it open, or through.
 */
export async function pursue<Result>(
	call: Call,
	now: Unfinished,
	work: (one: Unfinished, isTaken: boolean) => Promise<Result>,
): Promise<Result> {
	const { itemTry, settings } = call;
	const { unfinished } = call.memory;
	const goOn = async () => {
		const taken = unfinished.take(now, itemTry);
		const one = taken ?? now;
		// A call that came while this one was under way wants a document of its own: the two do not
		// share what is found.
		const isForBoth = taken !== undefined && (taken.leftAt ?? 0) <= now.lastSentAt;
		try {
			return await work(one, taken !== undefined);
		} finally {
			if (!one.isOpen && !isForBoth) one.found = undefined;
			unfinished.leave(one, itemTry, settings.clock.now());
		}
	};
	if (now.alike === undefined) return await goOn();
	await settleLeftovers(call, now);
	return await inTurn(call, now.alike, goOn);
}

/** The draft of an item, on its way to its end. */
export type KeptDraft<Draft> = {
	/** As an earlier try left it. */
	readonly begun: Draft | undefined;
	/** Keeps it in this state for later tries. */
	keep(draft: Draft): void;
};

/**
 * Makes a document out of a draft, one at a time for the very same. A draft of an earlier try, or
 * that anybody else has left within ten minutes, is gone on with. The work makes the calls.
 */
export async function finishDraft<Draft extends NonNullable<Unfinished['draft']>, Result>(
	call: Call,
	asked: DraftAsked,
	work: (draft: KeptDraft<Draft>) => Promise<Result>,
): Promise<Result> {
	const { context, itemTry, memory, settings } = call;
	return await pursue(call, unsent(call, asked), async (one) => {
		const begun = structuredClone(one.draft) as Draft | undefined;
		if (begun) tell(context, `The draft ${begun.id} of an earlier try was continued.`);
		const keep = (draft: Draft) => {
			Object.assign(one, {
				draft: structuredClone(draft),
				lastSentAt: settings.clock.now(),
				isOpen: true,
			});
			memory.unfinished.keep(one, itemTry);
		};
		try {
			const result = await work({ begun, keep });
			Object.assign(one, { isOpen: false, found: one.draft?.id });
			return result;
		} catch (error) {
			// A key of another workspace does not see it: the next try makes its own.
			if (isGone(error) && !leavesOpen(error)) one.isOpen = false;
			throw asThrown(error);
		}
	});
}

/**
 * The drafts of the requests to go on with, `undefined` without one, once what the item has left
 * otherwise is settled.
 */
export async function begunBy(
	call: Call,
	document?: DraftAsked,
): Promise<Array<string | undefined>> {
	const now = unsent(call, document);
	await settleLeftovers(call, now);
	return call.memory.unfinished.fitting(now, call.itemTry).map(({ draft }) => draft?.id);
}

/** A call of an earlier try, to be looked for or sent again as it was. */
export function callAsSent(call: Call, { endpoint, request }: Unfinished): Call {
	return callOf(call, endpoint, { ...request, itemIndex: call.itemIndex });
}

async function inTurn<Result>(
	call: Call,
	turn: string,
	work: () => Promise<Result>,
): Promise<Result> {
	const { memory, settings, service } = call;
	try {
		return await memory.oneAtATime.run(
			`${service.workspaceMode} ${turn}`,
			settings.clock,
			call,
			work,
		);
	} catch (error) {
		if (error instanceof TurnTooLate)
			throw outOfTime(call, 'not sent', 'another call is creating the same one');
		throw asThrown(error);
	}
}

/**
 * What earlier tries of the item have left unfinished, before it goes out as it was corrected
 * since. A draft stays behind. What was asked of a document that the item still works on is left
 * alone: whoever asks for the same takes it over.
 *
 * @throws NodeOperationError if a document is out that an earlier try asked for, NodeApiError if
 * that cannot be told
 */
async function settleLeftovers(call: Call, now: Unfinished): Promise<void> {
	const { unfinished } = call.memory;
	const left = unfinished.leftBy(now, call.itemTry);
	const certainAt = Math.max(...left.map((one) => one.certainAt));
	for (const one of left) {
		if (one.alike === undefined) continue;
		if (one.draft) await settleDraft(call, one, one.draft.id, certainAt);
		else await settleCreation(call, one);
		unfinished.close(one, call.itemTry);
	}
}

async function settleDraft(
	call: Call,
	one: Unfinished,
	id: string,
	certainAt: number,
): Promise<void> {
	// A send that was lost may still come. Another worker may have sent it, too, which this one knows
	// nothing of.
	await waitUntilCertain(call, one, certainAt);
	await throwIfOut(call, id);
	tell(
		call.context,
		`The draft ${id} of an earlier try is never sent, because the item was changed.`,
	);
}

async function settleCreation(call: Call, one: Unfinished): Promise<void> {
	const asSent = callAsSent(call, one);
	const { alike, thing, discard } = reconcilerOf(asSent);
	one.found ??= await inTurn(call, alike, async () => {
		const created = await lookUntilCertain(asSent, one);
		if (created && discard) await adopt(asSent, created);
		return discard ? undefined : created?.id;
	});
	if (one.found === undefined) return;
	call.memory.returned.set(one.found, true);
	if (thing === 'document') await throwIfOut(call, one.found);
	tell(
		call.context,
		`The ${thing} ${one.found} was created by an earlier try, before the item was changed.`,
	);
}

async function throwIfOut(call: Call, id: string): Promise<void> {
	const document = await ask(call, 'GET /documents/{id}', { path: { id } }).catch(
		(error: unknown) => {
			if (isGone(error)) return undefined;
			throw asThrown(error);
		},
	);
	if (document && OUT.includes(document.status))
		throw alreadySent(call.context, id, call.itemIndex);
}
