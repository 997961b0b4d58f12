import { asThrown } from '../../errors/asThrown';
import { isGone, leavesOpen } from '../../errors/callFailure';
import type { Call } from '../call';
import { tell } from '../telling';
import { pursue, unsent, type DraftAsked } from './pursue';
import type { Unfinished } from './unfinished';

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
	return await pursue(call, unsent(call, asked), async (one) => {
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
