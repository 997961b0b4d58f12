import { NodeApiError } from 'n8n-workflow';
import { asThrown } from '../../errors/asThrown';
import { Cancelled } from '../../pacing/waiting';
import type { Search } from './effect';

/** Runs a step that follows a lost answer; where it fails, the error says so in these words. */
export async function orStop<T>(search: Search, words: string, step: () => Promise<T>): Promise<T> {
	try {
		return await step();
	} catch (error) {
		if (error instanceof Cancelled) throw asThrown(error);
		// Anything else than a failed call is an answer of the service that makes no sense: it tells nothing either.
		throw search.stop(words, error instanceof NodeApiError ? error : undefined);
	}
}
