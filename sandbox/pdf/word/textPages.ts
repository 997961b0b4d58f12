import { PageSizes, type PDFDocument, type PDFPage } from 'pdf-lib';
import type { FontBook } from '../text/fonts';
import { wrap } from '../text/textLayout';

const MARGIN = 72;
const SIZE = 11;
const LINE_HEIGHT = 15;
const PARAGRAPH_GAP = 5;

/** Sets plain text on as many A4 pages as it needs; an empty text is one empty page. */
export async function addTextPages(document: PDFDocument, fonts: FontBook, text: string): Promise<void> {
	const [width, height] = PageSizes.A4;
	let page: PDFPage = document.addPage(PageSizes.A4);
	let baseline = height - MARGIN - SIZE;
	for (const paragraph of text.split(/\r\n|\r|\n/)) {
		const { font, text: written } = await fonts.letter(paragraph.replace(/\t/g, '    ').trimEnd(), { family: 'TIMES' });
		for (const line of wrap(written, font, SIZE, width - 2 * MARGIN)) {
			if (baseline < MARGIN) {
				page = document.addPage(PageSizes.A4);
				baseline = height - MARGIN - SIZE;
			}
			page.drawText(line, { x: MARGIN, y: baseline, size: SIZE, font });
			baseline -= LINE_HEIGHT;
		}
		baseline -= PARAGRAPH_GAP;
	}
}
