import { NodeOperationError } from 'n8n-workflow';
import { callAsSent, type Call } from '../call';
import { filterOf, inTurn, lookUntilCertain } from '../looks';
import { reconcilerOf } from '../looking/reconcilers';
import { tell, tellOfWait, waitUntil } from '../telling';
import type { AskedNow, Unfinished } from './unfinished';

/** A document that people can sign, or have signed. */
const OUT = ['in_progress', 'completed'];

/**
 * What earlier tries of the item have left unfinished, before it goes out as it was corrected since. A draft stays behind.
 * What was asked of a document that the item still works on is left alone: whoever asks for the same takes it over.
 *
 * @throws NodeOperationError if a document is out that an earlier try asked for: as long as it is, nothing else goes out
 * @throws NodeApiError if that cannot be told
 */
export async function settleLeftovers(call: Call, now: AskedNow): Promise<void> {
	const { itemTry } = call;
	if (!itemTry) return;
	const { unfinished } = call.memory;
	const left = unfinished.leftBy({ ...now, itemTry });
	for (const one of left) {
		const draft = (one.draft as { id?: string } | undefined)?.id;
		const ofDraft = left.filter(({ request }) => draft !== undefined && request.path?.id === draft);
		if (one.alike !== undefined) await settleCreation(call, one);
		else if (draft !== undefined) await settleDraft(call, draft, ofDraft);
		else continue;
		for (const settled of [one, ...ofDraft]) unfinished.close(settled, itemTry);
	}
}

/** @param ofDraft what was asked of it */
async function settleDraft(call: Call, id: string, ofDraft: readonly Unfinished[]): Promise<void> {
	const send = ofDraft.find(({ endpoint }) => endpoint === 'POST /documents/{id}/send');
	if (send) {
		// It may still be sent.
		tellOfWait(call, send.certainAt);
		await waitUntil(call, send.certainAt);
		await throwIfOut(call, id);
	}
	tell(call.context, `The draft ${id} of an earlier try is never sent, because the item was changed.`);
}

async function settleCreation(call: Call, one: Unfinished): Promise<void> {
	const asSent = callAsSent(call, one);
	const reconciler = reconcilerOf(asSent);
	const found = await inTurn(call, reconciler.alike, async () => {
		if (one.found !== undefined) return { id: one.found };
		const created = await lookUntilCertain(asSent, reconciler, one);
		if (created) await reconciler.discard?.(filterOf(asSent, one), created);
		return created;
	});
	if (!found || reconciler.discard) return;
	one.found = found.id;
	call.memory.returned.add(found.id);
	if (reconciler.thing === 'document') await throwIfOut(call, found.id);
	tell(call.context, `The ${reconciler.thing} ${found.id} was created by an earlier try, before the item was changed.`);
}

async function throwIfOut({ context, ask, itemIndex }: Call, id: string): Promise<void> {
	const { status } = await ask('GET /documents/{id}', { path: { id }, itemIndex });
	if (!OUT.includes(status)) return;
	throw new NodeOperationError(context.getNode(), `The document ${id} was already sent by an earlier try`, {
		itemIndex,
		description: `The answer to that request was lost, and the item has been changed since. Nothing was sent for the item as it is now. Cancel ${id} and retry the execution, or start a new execution.`,
	});
}
