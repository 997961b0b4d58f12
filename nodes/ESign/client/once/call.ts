import { createHash } from 'crypto';
import type { Endpoint } from '../../service/endpoints';
import type { ResponseOf } from '../../service/wire';
import type { ApiRequest } from '../call/address';
import { prepare, type Prepared } from '../call/exchange';
import type { Service } from '../credentials';
import type { ErrorContext } from '../errors/failure';
import { pinsIn } from '../errors/redaction';
import type { ApiContext, ItemTry, Run } from '../run';
import type { ClientSettings } from '../settings';
import type { Key, Memory } from './memory';
import type { AskedNow, Unfinished } from './unfinished/unfinished';

/** Whoever calls: what all the calls that belong together have in common. */
export type Caller = {
	context: ApiContext;
	run: Run;
	settings: ClientSettings;
	service: Service;
	memory: Memory;
	key: Key;
	signal: AbortSignal;
	/** When the call is given up, whatever has become of it; `Infinity` where nothing presses. */
	deadline: number;
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
		itemTry: ItemTry<Unfinished> | undefined;
		/** Calls another endpoint on behalf of this call: as careful, and cancelled with it. @throws Cancelled, NodeApiError */
		ask: Ask;
	};

/** @param attempts how often it is sent at most; as every call when left out */
export type Ask = <E extends Endpoint>(endpoint: E, request: ApiRequest, attempts?: number) => Promise<ResponseOf[E]>;

export function callOf(caller: Caller, endpoint: Endpoint, request: ApiRequest, ask: Ask): Call {
	const { context, run, settings } = caller;
	const { itemIndex, body } = request;
	const prepared = prepare(context, endpoint, request, settings);
	return { ...caller, ...prepared, itemIndex, pins: pinsIn(body), request, itemTry: run.tryOf(itemIndex), ask };
}

/** A call of an earlier try, to be looked for or sent again as it was. */
export function callAsSent(call: Call, { endpoint, request }: Unfinished): Call {
	return callOf(call, endpoint, { ...request, itemIndex: call.itemIndex }, call.ask);
}

/** What a call asks for, and whose it is. */
export function askedBy({ service, endpoint, path, request, itemTry }: Call, alike?: string): AskedNow {
	const { workspaceMode } = service;
	const { path: ids, body } = request;
	// A call that replaces something counts for whatever comes after it.
	const isReplacing = endpoint.startsWith('PUT ');
	const asked = [fingerprint([workspaceMode, endpoint, path, ...(isReplacing ? [] : [body ?? null])])];
	return { workspaceMode, endpoint, asked, request: isReplacing ? { path: ids } : { path: ids, body }, alike, itemTry };
}

/** Tells values apart, whatever the order of their properties; fit to be saved, whatever secrets went into it. */
export function fingerprint(values: unknown[]): string {
	return createHash('sha256')
		.update(JSON.stringify(values, (_, value: unknown) => inOrder(value)))
		.digest('hex')
		.slice(0, 32);
}

function inOrder(value: unknown): unknown {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
