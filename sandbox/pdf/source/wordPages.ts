import WordExtractor, { type WordDocument } from 'word-extractor';
import { A4, drawPages, type DrawnPage } from '../page/drawPages';
import { wrap, paragraphsOf } from '../text/lines';
import { drawLine } from '../text/writeText';

const MARGIN = 72;
const SIZE = 11;
const LINE_HEIGHT = 15;
const PARAGRAPH_GAP = 5;
const WIDTH = A4.width - 2 * MARGIN;
const LOOK = { family: 'TIMES' } as const;

/** A DOCX or DOC as a PDF of its text in a plain layout. Rejects when it cannot be read. */
export async function wordPages(bytes: Buffer): Promise<Uint8Array> {
	return drawPages(textPages(await readWordText(bytes)));
}

/** Milliseconds; the largest file that upload takes is read in a tenth of it. */
const PATIENCE = 10_000;

/**
 * The text of a DOCX or DOC: headers and footers, body, then footnotes, one paragraph per line. Its
 * fonts, tables and pictures are not reproduced (a table's cells come one after another, separated
 * by tabs).
 *
 * @throws what the extractor meets in a damaged file, and when `patience` milliseconds have passed:
 * over some damaged archives its promise never settles.
 */
export async function readWordText(bytes: Buffer, patience = PATIENCE): Promise<string> {
	const document = await new Promise<WordDocument>((resolve, reject) => {
		const deadline = setTimeout(
			() => reject(new Error('Reading the text takes too long')),
			patience,
		);
		const reading = new WordExtractor().extract(bytes).finally(() => clearTimeout(deadline));
		reading.then(resolve, reject);
	});
	return [document.getHeaders(), document.getBody(), document.getFootnotes()]
		.map((part) => part.trim())
		.filter((part) => part !== '')
		.join('\n\n');
}

/** Sets plain text on as many A4 pages as it needs; an empty text is one empty page. */
function textPages(text: string): DrawnPage[] {
	const pages: Array<Array<DrawnPage['draw']>> = [[]];
	let y = MARGIN + SIZE;
	for (const paragraph of text.split(/\r\n|\r|\n/)) {
		const words = paragraphsOf(paragraph.replace(/\t/g, '    ').trimEnd(), LOOK);
		for (const line of wrap(words, WIDTH / SIZE)) {
			if (y > A4.height - MARGIN) {
				pages.push([]);
				y = MARGIN + SIZE;
			}
			const place = { x: MARGIN, y, width: WIDTH, look: LOOK, size: SIZE, color: '#000000' };
			pages.at(-1)?.push((canvas) => drawLine(canvas, line, place));
			y += LINE_HEIGHT;
		}
		y += PARAGRAPH_GAP;
	}
	return pages.map((drawn) => ({ ...A4, draw: (canvas) => drawn.forEach((draw) => draw(canvas)) }));
}
