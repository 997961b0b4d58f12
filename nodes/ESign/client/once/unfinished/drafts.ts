import { asThrown } from '../../errors/asThrown';
import { isGone, leavesOpen } from '../../errors/callFailure';
import { fingerprint } from '../../fingerprint';
import { timestampOf } from '../../settings';
import type { Call } from '../call';
import { tell } from '../telling';
import { pursue } from './pursue';
import { unsent, type Unfinished } from './unfinished';

/** What a document is asked for by: what its draft is made of, and what else is done with it before it is through. */
export type DraftAsked = { draft: unknown; whole: unknown };

/** The draft of an item, on its way to its end. */
export type KeptDraft<Draft> = {
	/** As an earlier try left it. */
	readonly begun: Draft | undefined;
	/** Keeps it in this state for later tries. */
	keep(draft: Draft): void;
};

/**
 * Makes a document out of a draft, one at a time for the very same. A draft of an earlier try, or that anybody else has left
 * within ten minutes, is gone on with.
 *
 * @param call POST /documents of the item; the work makes the calls themselves
 */
export async function finishDraft<Draft extends NonNullable<Unfinished['draft']>, Result>(
	call: Call,
	asked: DraftAsked,
	work: (draft: KeptDraft<Draft>) => Promise<Result>,
): Promise<Result> {
	const { context, itemTry, memory, settings } = call;
	const now = unsentDraft(call, asked);
	return await pursue(call, now, now.asked, async (one) => {
		const begun = structuredClone(one.draft) as Draft | undefined;
		if (begun) tell(context, `The draft ${begun.id} of an earlier try was continued.`);
		const keep = (draft: Draft) => {
			Object.assign(one, { draft: structuredClone(draft), lastSentAt: settings.clock.now(), isOpen: true });
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

/** @param call POST /documents of the item */
export function unsentDraft({ service, endpoint, itemTry, settings }: Call, { draft, whole }: DraftAsked): Unfinished {
	const { workspaceMode } = service;
	const asked = fingerprint([workspaceMode, endpoint, draft]);
	const what = { workspaceMode, endpoint, asked, whole: fingerprint([asked, whole]), request: {} };
	return unsent(what, itemTry, timestampOf(settings.clock));
}
