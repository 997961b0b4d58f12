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
import { createOnce } from './createOnce';
import type { Ask, AskOptions, Errand } from './errand';
import { repeatUntilAnswered } from './repeatUntilAnswered';
import { sendOnce } from './sendOnce';

/**
 * Carries out a call so that its effect happens once, whatever fails on the way: docs/architecture.md section 4.
 *
 * @returns the body of the success response, or of what an earlier attempt is found to have left
 * @throws Cancelled
 * @throws NodeApiError with everything that is known about the outcome
 */
export async function carryOut(
	session: Session,
	call: PreparedCall,
	request: ApiRequest,
	mayBeDone = false,
): Promise<IDataObject> {
	const { context } = session;
	const { endpoint } = call;
	const errand: Errand = {
		session,
		call,
		request,
		site: { context, endpoint, itemIndex: request.itemIndex, pins: pinsIn(request.body), request },
		name: nameOf(session, call),
		asked: nameOfItem(context, call.itemIndex)?.asked,
		ask: asker(session),
	};
	switch (ruleOf(endpoint).retry) {
		case 'lookFirst':
			return await createOnce(errand);
		case 'never':
			return await sendOnce(errand);
		default:
			return await repeatUntilAnswered(errand, mayBeDone);
	}
}

/** Whether an earlier try of the item has made this creating call, and nobody knows what it has done. */
export function isCreationInDoubt(session: Session, call: PreparedCall): boolean {
	return session.state.effects.doubts.creation(nameOf(session, call)) !== undefined;
}

/** An item creates one thing of a kind: another template that is asked for now makes no other call of it. */
function nameOf({ context, service }: Session, { endpoint, path, itemIndex }: PreparedCall): string | undefined {
	const item = nameOfItem(context, itemIndex);
	const call = ruleOf(endpoint).retry === 'lookFirst' ? endpoint : `${methodOf(endpoint)} ${path}`;
	return item && `${service.keyId} ${item.name} ${call}`;
}

/** How a call is made on behalf of another, or of a look. */
export function asker(session: Session): Ask {
	return async <E extends Endpoint>(endpoint: E, request: ApiRequest, how: AskOptions = {}): Promise<ResponseOf[E]> => {
		const { attempts = session.attempts, mayBeDone } = how;
		const call = prepareCall(session.context, endpoint, request, session.settings.requestTimeoutMs);
		try {
			return (await carryOut({ ...session, attempts }, call, request, mayBeDone)) as ResponseOf[E];
		} catch (error) {
			// Whether the call on whose behalf it was has had an effect is for that call to say.
			throw error instanceof Cancelled ? new Cancelled() : asThrown(error);
		}
	};
}
