import { NodeOperationError } from 'n8n-workflow';
import { pause, throwIfCancelled } from '../pacing/waiting';
import type { AskedNow, Unfinished } from '../session/unfinished';
import { callAsSent, type Call } from './call';
import { inTurn, lookUntilCertain, searchOf } from './looks';
import { reconcilerOf } from './policies';
import { addWaited, tell, tellOfWait } from './telling';

/** A document that people can sign, or have signed. */
const OUT = ['in_progress', 'completed'];

const SEND = 'POST /documents/{id}/send';

type Asking = Omit<Call, 'prepared'>;

/**
 * What earlier tries of the item have left unfinished, before it goes out as it was corrected since. A draft stays behind.
 *
 * @throws NodeOperationError if a document is out that an earlier try asked for: as long as it is, nothing else goes out
 * @throws NodeApiError if that cannot be told
 */
export async function settleLeftovers(call: Asking, now: AskedNow): Promise<void> {
	const { itemTry } = call;
	if (!itemTry) return;
	const { unfinished } = call.session.state.effects;
	const left = unfinished.leftBy({ ...now, itemTry });
	for (const one of left.filter(({ endpoint }) => endpoint !== SEND)) {
		const draft = (one.draft as { id?: string } | undefined)?.id;
		const send = left.find(({ endpoint, request }) => endpoint === SEND && request.path?.id === draft);
		if (one.alike !== undefined) await settleCreation(call, one);
		else if (draft !== undefined) await settleDraft(call, draft, send);
		unfinished.close(one, itemTry);
		if (send) unfinished.close(send, itemTry);
	}
}

async function settleDraft(call: Asking, id: string, send: Unfinished | undefined): Promise<void> {
	if (send) {
		await waitFor(call, send);
		await throwIfOut(call, id);
	}
	tell(call.session.context, `The draft ${id} of an earlier try is never sent, because the item was changed.`);
}

async function settleCreation(call: Asking, one: Unfinished): Promise<void> {
	const { context, state } = call.session;
	const asSent = callAsSent(call, one);
	const reconciler = reconcilerOf(asSent);
	const found = await inTurn(call, reconciler.alike, async () => {
		if (one.found !== undefined) return { id: one.found };
		const created = await lookUntilCertain(asSent, reconciler, one);
		if (created) await reconciler.discard?.(searchOf(asSent, one), created);
		return created;
	});
	if (!found || reconciler.discard) return;
	one.found = found.id;
	state.effects.returned.add(found.id);
	if (reconciler.thing === 'document') await throwIfOut(call, found.id);
	tell(context, `The ${reconciler.thing} ${found.id} was created by an earlier try, before the item was changed.`);
}

async function throwIfOut({ session, ask, site }: Asking, id: string): Promise<void> {
	const { itemIndex } = site;
	const { status } = await ask('GET /documents/{id}', { path: { id }, itemIndex });
	if (!OUT.includes(status)) return;
	throw new NodeOperationError(session.context.getNode(), `The document ${id} was already sent by an earlier try`, {
		itemIndex,
		description: `The answer to that request was lost, and the item has been changed since. Nothing was sent for the item as it is now. Cancel ${id} and retry the execution, or start a new execution.`,
	});
}

/** An effect may still come. */
async function waitFor(call: Asking, { certainAt }: Unfinished): Promise<void> {
	const { settings, signal } = call.session;
	const waitMs = certainAt - settings.clock.now();
	tellOfWait(call, waitMs);
	await pause(settings.clock, waitMs, signal);
	throwIfCancelled(signal);
	addWaited(call, waitMs);
}
