import type { ApiRequest } from '../http/address';
import type { PreparedCall } from '../http/exchange';
import type { FailureSite } from '../errors/failure';
import type { Session } from '../session/session';
import type { Endpoint } from '../../service/endpoints';
import type { ResponseOf } from '../../service/wire';

/** A call on its way, with everything that its retry policy needs. */
export type Errand = {
	session: Session;
	call: PreparedCall;
	request: ApiRequest;
	site: FailureSite;
	/** By what the call is remembered while it is in doubt; undefined where no later try can follow. */
	name: string | undefined;
	ask: Ask;
};

/** Calls another endpoint on behalf of a call: as careful, and cancelled with it. @throws Cancelled, NodeApiError */
export type Ask = <E extends Endpoint>(endpoint: E, request: ApiRequest, how?: AskOptions) => Promise<ResponseOf[E]>;

export type AskOptions = {
	/** How often it is sent at most; as every call when left out. */
	attempts?: number;
};
