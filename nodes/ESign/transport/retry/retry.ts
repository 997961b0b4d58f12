import type { IDataObject } from 'n8n-workflow';
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
export function isCreationInDoubt(session: Session, call: PreparedCall): boolean {
	return session.state.effects.doubts.creation(nameOf(session, call)) !== undefined;
}

function nameOf({ context, service }: Session, { endpoint, path, itemIndex }: PreparedCall): string | undefined {
	const item = nameOfItem(context, itemIndex);
	return item && `${ofItem(service, item)}${methodOf(endpoint)} ${path}`;
}

/** What the names of all calls of an item begin with. */
function ofItem({ keyId }: Session['service'], item: string): string {
	return `${keyId} ${item} `;
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
	const { context, service, state } = session;
	const { doubts, returned } = state.effects;
	const left: string[] = [];
	for (const [name, doubt] of doubts.beginningWith(ofItem(service, item))) {
		const { creation, outcome, endpoint } = doubt;
		if (!creation) {
			left.push(`Whether an earlier try could ${ruleOf(endpoint).action} is not known.`);
			continue;
		}
		const { call, request } = creation;
		const site = { context, endpoint, itemIndex, pins: pinsIn(request.body), request };
		const errand: Errand = { session, call, request, site, name, ask: asker(session) };
		const reconciler = reconcilerOf(errand);
		const look = async () => await lookUntilCertain(errand, reconciler, creation, outcome);
		const found = await inTurn(errand, reconciler, true, look);
		if (found && !reconciler.discard) {
			returned.add(found.id);
			doubts.note(name, { ...doubt, creation: { ...creation, found: found.id } });
			left.push(`The ${reconciler.thing} ${found.id} was created.`);
			continue;
		}
		if (found) await reconciler.discard?.(searchOf(errand, creation), found);
		doubts.clear(name);
	}
	return left;
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
