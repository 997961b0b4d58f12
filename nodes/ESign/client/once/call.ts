import { createHash } from 'crypto';
import type { ApiRequest } from '../call/address';
import { prepareCall, type PreparedCall } from '../call/exchange';
import type { FailureSite } from '../errors/failure';
import { pinsIn } from '../errors/redaction';
import { runOf, type ItemTry } from '../run';
import type { Session } from '../session/session';
import type { AskedNow, Unfinished } from '../session/unfinished';
import type { Endpoint } from '../../service/endpoints';
import type { ResponseOf } from '../../service/wire';

/** A call on its way, with everything that its retry policy needs. */
export type Call = {
	session: Session;
	prepared: PreparedCall;
	request: ApiRequest;
	site: FailureSite;
	itemTry: ItemTry<Unfinished> | undefined;
	ask: Ask;
};

/** Calls another endpoint on behalf of a call: as careful, and cancelled with it. @throws Cancelled, NodeApiError */
export type Ask = <E extends Endpoint>(endpoint: E, request: ApiRequest, how?: AskOptions) => Promise<ResponseOf[E]>;

export type AskOptions = {
	/** How often it is sent at most; as every call when left out. */
	attempts?: number;
};

export function callOf(session: Session, prepared: PreparedCall, request: ApiRequest, ask: Ask): Call {
	const { context } = session;
	const { itemIndex } = request;
	const site = { context, endpoint: prepared.endpoint, itemIndex, pins: pinsIn(request.body), request };
	return { session, prepared, request, site, itemTry: runOf(context).tryOf<Unfinished>(itemIndex), ask };
}

/** A call of an earlier try, to be looked for or sent again as it was. */
export function callAsSent({ session, site, itemTry, ask }: Omit<Call, 'prepared'>, one: Unfinished): Call {
	const request = { ...one.request, itemIndex: site.itemIndex };
	const prepared = prepareCall(session.context, one.endpoint, request, session.settings.requestTimeoutMs);
	return { ...callOf(session, prepared, request, ask), itemTry };
}

/** What a call asks for, and whose it is. */
export function askedBy({ session, prepared, request, itemTry }: Call, alike?: string): AskedNow {
	const { place } = session.service;
	const { endpoint, path } = prepared;
	const { path: ids, body } = request;
	// A call that replaces something counts for whatever comes after it.
	const asked = endpoint.startsWith('PUT ') ? [] : [body ?? null];
	return {
		place,
		endpoint,
		asked: [fingerprint([place, endpoint, path, ...asked])],
		request: endpoint.startsWith('PUT ') ? { path: ids } : { path: ids, body },
		alike,
		itemTry,
	};
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
