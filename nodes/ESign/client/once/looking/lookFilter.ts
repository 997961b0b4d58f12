import { NodeApiError, type IDataObject } from 'n8n-workflow';
import { asThrown } from '../../errors/asThrown';
import { Cancelled } from '../../pacing/pause';
import type { ApiContext } from '../../run';
import type { Ask } from '../call';

/** What a look for the effect of a lost answer has to go by. */
export type LookFilter = {
	context: ApiContext;
	ask: Ask;
	/** When the request began at the earliest, by the service's clock and in milliseconds; asked for after a response has come. */
	since: () => number;
	/** Was this certainly created after the request began? */
	isSince: (entry: CreatedObject) => boolean;
	/** Has this been returned to another item of this process? */
	isTaken: (id: string) => boolean;
	/** The error for a look that cannot tell. */
	stop: (words: string, cause?: NodeApiError) => NodeApiError;
};

/** What a creating call may have left at the service. */
export type CreatedObject = { id: string; created_at: string };

/** How to find out what a creating call has left behind when its answer was lost (docs/architecture.md section 4). */
export type Reconciler<Found extends CreatedObject = CreatedObject> = {
	/** What calls of the same name create cannot be told apart. */
	alike: string;
	/** What is looked for, in words. */
	thing: string;
	/** Everything at the service that the call may have created. @throws NodeApiError if the service does not say */
	find(filter: LookFilter): Promise<Found[]>;
	/**
	 * Brings what was found to the state that the call asked for, and gives the response that was lost.
	 *
	 * @returns undefined if it is of no use without that response, and was taken away: the call is to be sent again
	 * @throws NodeApiError if it could not be brought to its end
	 */
	adopt(filter: LookFilter, found: Found): Promise<IDataObject | undefined>;
	/** Takes away a second one that came late, where that is possible. */
	discard?(filter: LookFilter, found: Found): Promise<void>;
};

/** Whether something was created before a time. What has no time that can be read may be of any. */
export function isBefore({ created_at: createdAt }: Pick<CreatedObject, 'created_at'>, time: number): boolean {
	return Date.parse(createdAt) < time;
}

/** Is this one of those that the call in doubt may have created? */
export function isCandidate(entry: CreatedObject, filter: LookFilter): boolean {
	return !isBefore(entry, filter.since()) && !filter.isTaken(entry.id);
}

/** Runs a step that follows a lost answer; where it fails, the error says so in these words. */
export async function failWith<T>(filter: LookFilter, words: string, step: () => Promise<T>): Promise<T> {
	try {
		return await step();
	} catch (error) {
		if (error instanceof Cancelled) throw asThrown(error);
		throw filter.stop(words, error instanceof NodeApiError ? error : undefined);
	}
}
