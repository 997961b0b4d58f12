import { PDFDocument, type PDFMetadata } from '@napi-rs/canvas';
import { PageSizes } from 'pdf-lib';

/** The canvas of a page. */
export type Canvas2D = ReturnType<PDFDocument['beginPage']>;

/** A page to be drawn; lengths in points, from its top-left corner. */
export interface DrawnPage {
	width: number;
	height: number;
	draw: (canvas: Canvas2D) => void;
}

export const A4 = { width: PageSizes.A4[0], height: PageSizes.A4[1] };

/** What the properties of a file name as the program that made it. */
export const PRODUCER = 'eSign sandbox';

/**
 * Draws pages into a PDF. Skia shapes their text, sets it in its direction and embeds what is used
 * of the fonts.
 */
export function drawPages(pages: readonly DrawnPage[], properties: PDFMetadata = {}): Buffer {
	const pdf = new PDFDocument({ producer: PRODUCER, creator: PRODUCER, ...properties });
	for (const { width, height, draw } of pages) {
		draw(pdf.beginPage(width, height));
		pdf.endPage();
	}
	return pdf.close();
}
