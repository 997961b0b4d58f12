import { grayscale, PageSizes, type PDFDocument, type PDFPage } from 'pdf-lib';
import { compose } from '../text/compose';
import { drawLine } from '../text/drawLine';
import type { FontBook } from '../text/fontBook';
import { wrap } from '../text/lines';

const BLACK = grayscale(0);
const MARGIN = 72;
const SIZE = 11;
const LINE_HEIGHT = 15;
const PARAGRAPH_GAP = 5;

/** Sets plain text on as many A4 pages as it needs; an empty text is one empty page. */
export async function addTextPages(document: PDFDocument, fonts: FontBook, text: string): Promise<void> {
	const [columns, height] = PageSizes.A4;
	let page: PDFPage = document.addPage(PageSizes.A4);
	let baseline = height - MARGIN - SIZE;
	const width = columns - 2 * MARGIN;
	for (const paragraph of text.split(/\r\n|\r|\n/)) {
		const written = await compose(fonts, paragraph.replace(/\t/g, '    ').trimEnd(), { family: 'TIMES' });
		for (const line of wrap(written, width / SIZE)) {
			if (baseline < MARGIN) {
				page = document.addPage(PageSizes.A4);
				baseline = height - MARGIN - SIZE;
			}
			const indent = line.paragraph.rightToLeft ? width - line.width * SIZE : 0;
			drawLine(page, line, { x: MARGIN + indent, y: baseline, size: SIZE, color: BLACK });
			baseline -= LINE_HEIGHT;
		}
		baseline -= PARAGRAPH_GAP;
	}
}
