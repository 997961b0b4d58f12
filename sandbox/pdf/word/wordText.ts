import WordExtractor from 'word-extractor';

/**
 * The text of a DOCX or DOC: headers and footers, body, then footnotes, one paragraph per line. Its fonts, tables and
 * pictures are not reproduced (a table's cells come one after another, separated by tabs).
 *
 * Over some damaged archives the promise of word-extractor never settles: only call this where it can be ended from
 * outside (convertWord.ts).
 *
 * @throws whatever the extractor meets in a damaged file.
 */
export async function readWordText(bytes: Buffer): Promise<string> {
	const document = await new WordExtractor().extract(bytes);
	return [document.getHeaders(), document.getBody(), document.getFootnotes()]
		.map((part) => part.trim())
		.filter((part) => part !== '')
		.join('\n\n');
}
