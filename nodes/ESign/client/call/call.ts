import { NodeOperationError, type IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../service/endpoints';
import type { Pacer } from '../pacing/pacer';
import type { ApiContext, Run, Service } from '../run';
import type { ClientSettings } from '../settings';
import type { ServerClock } from './serverClock';

/**
 * A body in the form of `contentType`, put together anew for every attempt: no copy of a file is
 * kept while a call waits.
 */
export type EncodedBody = { contentType: string; bytes: () => Buffer };

/** What one call carries besides its endpoint. `path` fills the endpoint's `{...}` by name. */
export type ApiRequest = {
	path?: Record<string, string>;
	query?: IDataObject;
	body?: IDataObject;
	/** Instead of a body that is sent as JSON. */
	encoded?: EncodedBody;
	/** It replaces something of a draft that this very run has made: nobody else writes to it. */
	isOfOwnDraft?: boolean;
	/** The item a failure is reported for. */
	itemIndex?: number;
	/**
	 * When the call is given up at the latest, in doubt if need be, by the clock of `now()` in
	 * client/client.ts.
	 */
	deadline?: number;
	/** How long one attempt may take, where that is less than usual. */
	timeoutMs?: number;
	/** Ends the call as a cancelled execution does, in whose place it counts. */
	signal?: AbortSignal;
};

/** What is asked for, and by whom: all that the error of a call is made of. */
export type CallSite = { context: ApiContext; endpoint: Endpoint; request: ApiRequest };

/** What the process knows of one key: all that the client remembers. */
export type Key = { pacer: Pacer; serverClock: ServerClock };

/** One call of an endpoint, in all its attempts. */
export type Call = CallSite & {
	run: Run;
	settings: ClientSettings;
	service: Service;
	key: Key;
	signal: AbortSignal;
	/** When the call is given up, whatever has become of it; `Infinity` where nothing presses. */
	deadline: number;
	/** For how long the call waits for the window of its key to end, in milliseconds. */
	patienceMs: number;
};

/**
 * What no encoding keeps in its segment of a path: nothing, `.` and `..`, control characters, and
 * halves of characters.
 */
const NOT_AN_ID = /^\.{0,2}$|[\p{Cc}\p{Cs}]/u;

/**
 * The path below the base URL, with ids that cannot address another endpoint. @throws
 * NodeOperationError for one that is none
 */
export function pathOf({ context, endpoint, request: { path, itemIndex } }: CallSite): string {
	const template = endpoint.slice(endpoint.indexOf(' ') + 1);
	return template.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = path?.[name]?.trim() ?? '';
		if (!NOT_AN_ID.test(value)) return encodeURIComponent(value);
		const message = `"${value}" is not an ID`;
		const description = 'Choose it from the list, or enter the ID as the service returned it.';
		throw new NodeOperationError(context.getNode(), message, { itemIndex, description });
	});
}
