import type { IDataObject, NodeApiError } from 'n8n-workflow';
import type { ApiRequest } from '../../http/address';
import type { Endpoint } from '../../../service/endpoints';
import type { ResponseOf } from '../../../service/wire';

/** Calls another endpoint on behalf of the call in doubt. @throws NodeApiError */
export type Ask = <E extends Endpoint>(endpoint: E, request: ApiRequest) => Promise<ResponseOf[E]>;

/** What a look for the effect of a lost answer has to go by. */
export type Search = {
	/** The call in doubt. */
	endpoint: Endpoint;
	ask: Ask;
	/** When the request began, by the service's clock and in milliseconds; asked for after a response has come. */
	since: () => number;
	/** Has this been returned to another item of this process? */
	isTaken: (id: string) => boolean;
	/** The error for a look that cannot tell. */
	stop: (words: string, cause?: NodeApiError) => NodeApiError;
};

/** How to find what a creating call left behind when its answer was lost (docs/architecture.md section 4). */
export type Reconciler = {
	/** Calls with the same identity go one after the other: their effects could not be told apart. */
	identity: string;
	/**
	 * @returns the success response that was lost, or undefined if there was no effect, so that it may be tried again
	 * @throws NodeApiError if it cannot be told, or if the effect could not be brought to its end
	 */
	look: (search: Search) => Promise<IDataObject | undefined>;
};

/** The one entry that the lost call has created, if any. */
export function onlyOne<Entry extends { id: string }>(
	found: Entry[],
	search: Search,
	thing: string,
): Entry | undefined {
	if (found.length > 1) {
		throw search.stop(
			`${found.length} ${thing}s fit and it cannot be told which of them is the one: ${found.map(({ id }) => id).join(', ')}`,
		);
	}
	return found[0];
}

/** Is this one of those that the call in doubt may have created? */
export function isCandidate(entry: { id: string; created_at: string }, search: Search): boolean {
	return Date.parse(entry.created_at) >= search.since() && !search.isTaken(entry.id);
}
