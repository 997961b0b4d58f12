import type { Endpoint } from '../../service/endpoints';
import type { Service } from '../credentials';
import type { ErrorContext } from '../errors/failure';
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
	};

export function callOf(caller: Caller, endpoint: Endpoint, request: ApiRequest): Call {
	const path = pathOf(caller.context, endpoint, request);
	// Spread before others, the caller would cost thirty times as much as here.
	return Object.assign({}, caller, { endpoint, request, path });
}
