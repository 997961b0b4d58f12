/** What is used of the package, which has no types of its own. */
declare module 'word-extractor' {
	export interface WordDocument {
		getHeaders(): string;
		getBody(): string;
		getFootnotes(): string;
	}

	export default class WordExtractor {
		extract(bytes: Buffer): Promise<WordDocument>;
	}
}
