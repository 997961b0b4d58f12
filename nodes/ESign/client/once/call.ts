import { ruleOf, type Endpoint } from '../../service/endpoints';
import type { ResponseOf } from '../../service/wire';
import { pathOf, type ApiRequest } from '../call/address';
import type { Sender, Sending } from '../call/sendOnce';
import type { ErrorContext } from '../errors/failure';
import { pinsIn } from '../errors/redaction';
import type { ItemTry } from '../run';
import type { Memory } from './memory';

/** Whoever calls: what all the calls that belong together have in common. */
export type Caller = Sender & {
	memory: Memory;
	/** How often the call is sent at most while it meets faults. */
	attempts: number;
	/** How long the call waits in all for a key whose limit others spend, in milliseconds. */
	patienceMs: number;
};

/** A call on its way, with everything that its retry policy needs. */
export type Call = Caller &
	Sending &
	ErrorContext & {
		itemTry: ItemTry | undefined;
		/** Calls another endpoint on behalf of this call: as careful, and cancelled with it. @throws Cancelled, NodeApiError */
		ask: Ask;
	};

/** @param attempts how often it is sent at most; as every call when left out */
export type Ask = <E extends Endpoint>(endpoint: E, request?: ApiRequest, attempts?: number) => Promise<ResponseOf[E]>;

export function callOf(caller: Caller, endpoint: Endpoint, request: ApiRequest, ask: Ask): Call {
	const { context, run, settings } = caller;
	const { itemIndex } = request;
	return {
		...caller,
		endpoint,
		path: pathOf(context, endpoint, request),
		request,
		timeoutMs: ruleOf(endpoint).upload ? settings.transferTimeoutMs : settings.requestTimeoutMs,
		itemIndex,
		pins: pinsIn(request.body),
		itemTry: run.tryOf(itemIndex),
		ask,
	};
}
