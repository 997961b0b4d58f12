import type { LossyService } from './lossyService';

/** The titles of what has gone out, in alphabetical order. */
export async function sentTitles(service: LossyService): Promise<string[]> {
	const documents = await service.documents();
	return documents
		.filter(({ status }) => status !== 'draft')
		.map(({ title }) => title)
		.sort();
}
