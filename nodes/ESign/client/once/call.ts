import type { Endpoint } from '../../service/endpoints';
import type { ResponseOf } from '../../service/wire';
import type { ApiRequest } from '../call/address';
import { prepare, type Prepared } from '../call/exchange';
import type { Sender } from '../call/sendOnce';
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
	Prepared &
	ErrorContext & {
		endpoint: Endpoint;
		request: ApiRequest;
		itemTry: ItemTry | undefined;
		/** Calls another endpoint on behalf of this call: as careful, and cancelled with it. @throws Cancelled, NodeApiError */
		ask: Ask;
	};

/** @param attempts how often it is sent at most; as every call when left out */
export type Ask = <E extends Endpoint>(endpoint: E, request?: ApiRequest, attempts?: number) => Promise<ResponseOf[E]>;

export function callOf(caller: Caller, endpoint: Endpoint, request: ApiRequest, ask: Ask): Call {
	const { context, run, settings } = caller;
	const { itemIndex, body } = request;
	const prepared = prepare(context, endpoint, request, settings);
	return { ...caller, ...prepared, itemIndex, pins: pinsIn(body), request, itemTry: run.tryOf(itemIndex), ask };
}
