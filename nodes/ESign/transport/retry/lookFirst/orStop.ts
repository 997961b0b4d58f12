import { NodeApiError } from 'n8n-workflow';
import { asThrown } from '../../errors/asThrown';
import type { Search } from './effect';

/** Runs a step that follows a lost answer; where it fails, the error says so in these words. */
export async function orStop<T>(search: Search, words: string, step: () => Promise<T>): Promise<T> {
	try {
		return await step();
	} catch (error) {
		throw error instanceof NodeApiError ? search.stop(words, error) : asThrown(error);
	}
}
