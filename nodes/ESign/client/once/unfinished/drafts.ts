import { NodeApiError } from 'n8n-workflow';
import { asThrown } from '../../errors/asThrown';
import { timestampOf } from '../../settings';
import { fingerprint, type Call } from '../call';
import { settleLeftovers } from './leftovers';
import { inTurn } from '../looks';
import { tell } from '../telling';
import type { AskedNow } from './unfinished';

/** What a document is asked for by: what its draft is made of, and what else is done with it before it is through. */
export type DraftAsked = { draft: unknown; whole: unknown };

/** The draft of an item, on its way to its end. */
export type KeptDraft<Draft> = {
	/** As an earlier try left it. */
	readonly begun: Draft | undefined;
	/** Keeps it in this state for later tries. */
	keep(draft: Draft): void;
	/** From now on it may be out, as it was asked for: whoever asks for something else does not go on with it. */
	sends(): void;
};

/**
 * Makes a document out of a draft, one at a time for the very same. A draft of an earlier try, or that anybody else has left
 * within ten minutes, is gone on with.
 *
 * @param call POST /documents of the item; the work makes the calls themselves
 */
export async function finishDraft<Draft extends { id: string }, Result>(
	call: Call,
	asked: DraftAsked,
	work: (draft: KeptDraft<Draft>) => Promise<Result>,
): Promise<Result> {
	const { context, itemTry, memory, settings } = call;
	const { unfinished } = memory;
	const now = draftAskedBy(call, asked);
	await settleLeftovers(call, now);
	return await inTurn(call, now.asked[0] ?? '', async () => {
		const at = timestampOf(settings.clock);
		const taken = unfinished.take(now, at.at);
		const one = taken ?? unfinished.begin(now, at);
		const begun = structuredClone(taken?.draft) as Draft | undefined;
		if (begun) tell(context, `The draft ${begun.id} of an earlier try was continued.`);
		const keep = (draft: Draft) => {
			one.draft = structuredClone(draft);
			one.lastSentAt = settings.clock.now();
			unfinished.keep(one, itemTry);
		};
		if (begun) keep(begun);
		const sends = () => (one.asked = now.asked[1] ?? one.asked);
		try {
			const result = await work({ begun, keep, sends });
			one.draft = undefined;
			return result;
		} catch (error) {
			// A key of another workspace does not see it: the next try makes its own.
			if (error instanceof NodeApiError && error.httpCode === '404') one.draft = undefined;
			throw asThrown(error);
		} finally {
			if (one.draft === undefined) unfinished.close(one, itemTry);
			else unfinished.rest(one);
		}
	});
}

/** @param call POST /documents of the item */
export function draftAskedBy({ service, endpoint, itemTry }: Call, { draft, whole }: DraftAsked): AskedNow {
	const { workspaceMode } = service;
	const asked = [draft, [draft, whole]].map((one) => fingerprint([workspaceMode, endpoint, one]));
	return { workspaceMode, endpoint, request: {}, asked, itemTry };
}
