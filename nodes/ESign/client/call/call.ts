import { ruleOf, type Endpoint } from '../../service/endpoints';
import type { Service } from '../credentials';
import type { ErrorContext } from '../errors/failure';
import { pinsIn } from '../errors/redaction';
import type { Pacer } from '../pacing/pacer';
import type { ApiContext, Run } from '../run';
import type { ClientSettings } from '../settings';
import { pathOf, type ApiRequest } from './address';
import type { ServerClock } from './serverClock';

/** What the process knows of one key: all that the client remembers. */
export type Key = { pacer: Pacer; serverClock: ServerClock };

/** Whoever calls: what all the calls that belong together have in common. */
export type Caller = {
	context: ApiContext;
	run: Run;
	settings: ClientSettings;
	service: Service;
	key: Key;
	signal: AbortSignal;
	/** When the call is given up, whatever has become of it; `Infinity` where nothing presses. */
	deadline: number;
	/** How long the call waits in all for a key whose limit others spend, in milliseconds. */
	patienceMs: number;
};

/** One call of an endpoint, in all its attempts. */
export type Call = Caller &
	ErrorContext & {
		/** Below the base URL. */
		path: string;
		request: ApiRequest;
		/** How long the answer may be silent. */
		timeoutMs: number;
	};

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
