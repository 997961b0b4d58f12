import { NodeApiError } from 'n8n-workflow';
import { asThrown } from '../../errors/asThrown';
import type { Search } from './effect';

/** Runs a look for the effect of a lost answer; where the look itself fails, that is what the error says. */
export async function tellingOrStop<T>(search: Search, words: string, look: () => Promise<T>): Promise<T> {
	try {
		return await look();
	} catch (error) {
		if (!(error instanceof NodeApiError) || isOwn(error, search)) throw asThrown(error);
		throw search.stop(words, error);
	}
}

/** The look has already said what it could not tell; only failures of the calls it made are put into its words. */
function isOwn({ context }: NodeApiError, { endpoint }: Search): boolean {
	return context.endpoint === endpoint;
}
