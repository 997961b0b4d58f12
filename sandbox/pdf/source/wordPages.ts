import WordExtractor from 'word-extractor';
import { drawPages } from '../page/drawPages';
import { Sheet } from '../page/sheet';

const MARGIN = 72;
const SIZE = 11;
const PARAGRAPH_GAP = 5;
const STYLE = { family: 'TIMES', color: '#000000' } as const;

/**
 * A DOCX or DOC as a PDF of its text in a plain layout: headers and footers, body, text boxes, then
 * footnotes. Its fonts, tables and pictures are not reproduced (a table's cells come one after
 * another). Rejects when it cannot be read, and over some damaged archives never settles, until the
 * thread is ended.
 */
export async function wordPages(bytes: Buffer): Promise<Uint8Array> {
	const word = await new WordExtractor().extract(bytes);
	const boxes = word.getTextboxes({ includeHeadersAndFooters: true, includeBody: true });
	const text = [word.getHeaders(), word.getBody(), boxes, word.getFootnotes()]
		.map((part) => part.trim())
		.filter((part) => part !== '')
		.join('\n\n');
	const sheet = new Sheet(MARGIN);
	for (const paragraph of text.split(/\r\n|\r|\n/)) {
		sheet.text(paragraph.replace(/\t/g, '    ').trimEnd(), SIZE, STYLE);
		sheet.space(PARAGRAPH_GAP);
	}
	return drawPages(sheet.pages());
}
