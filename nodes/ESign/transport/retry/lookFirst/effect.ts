import type { IDataObject, NodeApiError } from 'n8n-workflow';
import type { Ask } from '../errand';

/** What a look for the effect of a lost answer has to go by. */
export type Search = {
	ask: Ask;
	/** When the request began at the earliest, by the service's clock and in milliseconds; asked for after a response has come. */
	since: () => number;
	/** Was this certainly created after the request began? */
	isSince: (entry: Effect) => boolean;
	/** Has this been returned to another item of this process? */
	isTaken: (id: string) => boolean;
	/** The error for a look that cannot tell. */
	stop: (words: string, cause?: NodeApiError) => NodeApiError;
};

/** What a creating call may have left at the service. */
export type Effect = { id: string; created_at: string };

/** How to find out what a creating call has left behind when its answer was lost (docs/architecture.md section 4). */
export type Reconciler<Found extends Effect = Effect> = {
	/** Calls with the same identity go one after the other: their effects could not be told apart. */
	identity: string;
	/** What is looked for, in words. */
	thing: string;
	/** Everything at the service that the call may have created. @throws NodeApiError if the service does not say */
	find(search: Search): Promise<Found[]>;
	/**
	 * Brings what was found to the state that the call asked for, and gives the response that was lost.
	 *
	 * @returns undefined if it is of no use without that response, and was taken away: the call is to be sent again
	 * @throws NodeApiError if it could not be brought to its end
	 */
	adopt(search: Search, found: Found): Promise<IDataObject | undefined>;
	/** Takes away a second one that came late, where that is possible. */
	discard?(search: Search, found: Found): Promise<void>;
};

/** The entries of a list that the service gave. @throws NodeApiError if that is no list: then it tells nothing */
export function entriesIn<Entry>(data: readonly Entry[], search: Pick<Search, 'stop'>): readonly Entry[] {
	if (Array.isArray(data)) return data;
	throw search.stop('the service gave something else than a list');
}

/** Whether something was created before a time. What has no time that can be read may be of any. */
export function isBefore({ created_at: createdAt }: Pick<Effect, 'created_at'>, time: number): boolean {
	return Date.parse(createdAt) < time;
}

/** Is this one of those that the call in doubt may have created? */
export function isCandidate(entry: Effect, search: Search): boolean {
	return !isBefore(entry, search.since()) && !search.isTaken(entry.id);
}
