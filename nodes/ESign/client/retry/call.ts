import type { IDataObject } from 'n8n-workflow';
import { ruleOf, type Endpoint } from '../../service/endpoints';
import type { ResponseOf } from '../../service/wire';
import { pathOf, type ApiRequest } from '../call/address';
import type { Sender, Sending } from '../call/sendRequest';
import { asThrown, type ErrorContext } from '../errors/failure';
import { pinsIn } from '../errors/redaction';
import { Cancelled } from '../pacing/pause';
import type { ClientSettings } from '../settings';

/** Whoever calls: what all the calls that belong together have in common. */
export type Caller = Sender & {
	/** How often the call is sent at most while it meets faults. */
	attempts: number;
	/** How long the call waits in all for a key whose limit others spend, in milliseconds. */
	patienceMs: number;
	/** `callWithRetry`, which its own parts call as well. */
	carryOut: (call: Call) => Promise<IDataObject>;
};

export type Call = Caller & Sending & ErrorContext;

export function callOf(caller: Caller, endpoint: Endpoint, request: ApiRequest): Call {
	const { context, settings } = caller;
	// Spread before so many others, the caller would cost thirty times as much as here.
	return Object.assign({}, caller, {
		endpoint,
		path: pathOf(context, endpoint, request),
		request,
		timeoutMs: request.timeoutMs ?? timeoutOf(endpoint, settings),
		itemIndex: request.itemIndex,
		pins: pinsIn(request.body),
	});
}

function timeoutOf(endpoint: Endpoint, settings: ClientSettings): number {
	return ruleOf(endpoint).upload ? settings.transferTimeoutMs : settings.requestTimeoutMs;
}

/**
 * Calls another endpoint on behalf of a call: as careful, and cancelled with it.
 *
 * @throws Cancelled, NodeApiError
 */
export async function ask<E extends Endpoint>(
	call: Call,
	endpoint: E,
	request: ApiRequest = {},
): Promise<ResponseOf[E]> {
	try {
		const asked = callOf(call, endpoint, { itemIndex: call.itemIndex, ...request });
		return (await call.carryOut(asked)) as ResponseOf[E];
	} catch (error) {
		// Whether the call on whose behalf it was has had an effect is for that call to say.
		throw error instanceof Cancelled ? new Cancelled() : asThrown(error);
	}
}
