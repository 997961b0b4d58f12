import { prepareCall } from '../call/exchange';
import type { ApiRequest } from '../call/address';
import { asThrown } from '../errors/asThrown';
import { Cancelled } from '../pacing/waiting';
import type { Session } from '../session/session';
import type { Endpoint } from '../../service/endpoints';
import type { ResponseOf } from '../../service/wire';
import { callOf, type Ask, type AskOptions } from './call';
import { callOnce } from './callOnce';

/** How a call is made on behalf of another, or of a look. */
export function asker(session: Session): Ask {
	const ask: Ask = async <E extends Endpoint>(
		endpoint: E,
		request: ApiRequest,
		how: AskOptions = {},
	): Promise<ResponseOf[E]> => {
		const { attempts = session.attempts } = how;
		const prepared = prepareCall(session.context, endpoint, request, session.settings.requestTimeoutMs);
		try {
			return (await callOnce(callOf({ ...session, attempts }, prepared, request, ask))) as ResponseOf[E];
		} catch (error) {
			// Whether the call on whose behalf it was has had an effect is for that call to say.
			throw error instanceof Cancelled ? new Cancelled() : asThrown(error);
		}
	};
	return ask;
}
