import { setTimeout as wait } from 'node:timers/promises';
import WordExtractor from 'word-extractor';

/** Milliseconds; the largest file that upload takes is read in a tenth of it. */
const PATIENCE = 10_000;

/**
 * The text of a DOCX or DOC: headers and footers, body, then footnotes, one paragraph per line. Its fonts, tables and
 * pictures are not reproduced (a table's cells come one after another, separated by tabs).
 *
 * word-extractor never settles its promise over some damaged archives, so after `patience` milliseconds the file counts
 * as one that cannot be read.
 *
 * @throws whatever the extractor meets in a damaged file.
 */
export async function readWordText(bytes: Buffer, patience = PATIENCE): Promise<string> {
	const deadline = new AbortController();
	try {
		const document = await Promise.race([
			new WordExtractor().extract(bytes),
			wait(patience, undefined, { signal: deadline.signal }).then(() => {
				throw new Error('The text cannot be read');
			}),
		]);
		return [document.getHeaders(), document.getBody(), document.getFootnotes()]
			.map((part) => part.trim())
			.filter((part) => part !== '')
			.join('\n\n');
	} finally {
		deadline.abort();
	}
}
