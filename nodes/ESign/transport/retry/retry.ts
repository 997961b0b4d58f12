import { NodeApiError, type IDataObject } from 'n8n-workflow';
import { methodOf, type ApiRequest } from '../http/address';
import { prepareCall, type PreparedCall } from '../http/exchange';
import { ruleOf, type Endpoint } from '../../service/endpoints';
import type { ResponseOf } from '../../service/wire';
import { asThrown } from '../errors/asThrown';
import { pinsIn } from '../errors/redaction';
import { Cancelled } from '../pacing/waiting';
import { nameOfItem } from '../context/itemNames';
import type { Session } from '../session/session';
import { createOnce, inTurn, reconcilerOf } from './createOnce';
import type { Ask, AskOptions, Errand } from './errand';
import { lookUntilCertain, searchOf } from './looks';
import { repeatUntilAnswered } from './repeatUntilAnswered';
import { sendOnce } from './sendOnce';

/**
 * Carries out a call so that its effect happens once, whatever fails on the way: docs/architecture.md section 4.
 *
 * @returns the body of the success response, or of what an earlier attempt is found to have left
 * @throws Cancelled
 * @throws NodeApiError with everything that is known about the outcome
 */
export async function carryOut(session: Session, call: PreparedCall, request: ApiRequest): Promise<IDataObject> {
	const { context } = session;
	const { endpoint } = call;
	const errand: Errand = {
		session,
		call,
		request,
		site: { context, endpoint, itemIndex: request.itemIndex, pins: pinsIn(request.body), request },
		name: nameOf(session, call),
		ask: asker(session),
	};
	switch (ruleOf(endpoint).retry) {
		case 'lookFirst':
			return await createOnce(errand);
		case 'never':
			return await sendOnce(errand);
		default:
			return await repeatUntilAnswered(errand);
	}
}

/** Whether an earlier try of the item has made this creating call, and nobody knows what it has done. */
export function isCallInDoubt(session: Session, call: PreparedCall): boolean {
	return session.state.effects.doubts.creation(nameOf(session, call)) !== undefined;
}

function nameOf({ context }: Session, { endpoint, path, itemIndex }: PreparedCall): string | undefined {
	const item = nameOfItem(context, itemIndex);
	return item && `${item} ${methodOf(endpoint)} ${path}`;
}

/**
 * What the calls of an item have done of which nobody knew it: looked for until it is certain. What is found is taken for the
 * effect of no other call from then on.
 *
 * @param item the name that `nameItem` gave it
 * @returns in words, each a sentence of its own; none if nothing came of them
 * @throws Cancelled
 * @throws NodeApiError if it cannot be told
 */
export async function whatIsLeft(session: Session, item: string, itemIndex: number): Promise<string[]> {
	const left: string[] = [];
	for (const [name] of session.state.effects.doubts.ofItem(item)) {
		const one = await leftByCall(session, name, itemIndex);
		if (one !== undefined) left.push(one);
	}
	return left;
}

async function leftByCall(session: Session, name: string, itemIndex: number): Promise<string | undefined> {
	const { context, state } = session;
	const { doubts, returned } = state.effects;
	const { creation, endpoint, about } = doubts.get(name) ?? {};
	if (!endpoint) return undefined;
	if (!creation)
		return `Whether an earlier try could ${ruleOf(endpoint).action} is not known${about === undefined ? '' : `: ${about}`}.`;
	const { call, request } = creation;
	const site = { context, endpoint, itemIndex, pins: pinsIn(request.body), request };
	const errand: Errand = { session, call, request, site, name, ask: asker(session) };
	const reconciler = reconcilerOf(errand);
	// Another execution may be creating the very same, or going on with this call.
	return await inTurn(errand, reconciler, true, async () => {
		const doubt = doubts.creation(name);
		if (!doubt) return undefined;
		const found = await lookUntilCertain(errand, reconciler, doubt.creation, doubt.outcome).catch(toldForGood);
		if (typeof found === 'string') return found;
		if (found && !reconciler.discard) {
			returned.add(found.id);
			doubts.note(name, { ...doubt, creation: { ...doubt.creation, found: found.id } });
			return `The ${reconciler.thing} ${found.id} was created.`;
		}
		if (found) await reconciler.discard?.(searchOf(errand, doubt.creation), found);
		doubts.clear(name);
		return undefined;
	});
}

/** What no later look can tell either, in words. @throws any other error */
function toldForGood(error: Error): string {
	if (error instanceof NodeApiError && error.context.isAmbiguous === true) return `${error.message}.`;
	throw asThrown(error);
}

/** How a call is made on behalf of another, or of a look. */
export function asker(session: Session): Ask {
	return async <E extends Endpoint>(endpoint: E, request: ApiRequest, how: AskOptions = {}): Promise<ResponseOf[E]> => {
		const { attempts = session.attempts } = how;
		const call = prepareCall(session.context, endpoint, request, session.settings.requestTimeoutMs);
		try {
			return (await carryOut({ ...session, attempts }, call, request)) as ResponseOf[E];
		} catch (error) {
			// Whether the call on whose behalf it was has had an effect is for that call to say.
			throw error instanceof Cancelled ? new Cancelled() : asThrown(error);
		}
	};
}
