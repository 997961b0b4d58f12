/** What is used of the package, which has no types of its own. */
declare module 'word-extractor' {
	export interface WordDocument {
		getHeaders(): string;
		getBody(): string;
		getFootnotes(): string;
		getTextboxes(parts?: { includeHeadersAndFooters?: boolean; includeBody?: boolean }): string;
	}

	export default class WordExtractor {
		extract(bytes: Buffer): Promise<WordDocument>;
	}
}
