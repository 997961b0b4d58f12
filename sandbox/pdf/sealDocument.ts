import { createHash } from 'node:crypto';
import { PDFDocument } from 'pdf-lib';
import { drawField, type Shortfall } from './fields/drawField';
import type { PlacedField } from './fields/placedField';
import { setFileProperties } from './fileProperties';
import { drawPages } from './page/drawPages';
import { drawAsSeen, seenSize } from './page/pageSpace';
import { drawTestWatermark } from './page/watermark';
import { savePdf } from './savePdf';

export interface SealInput {
	source: Uint8Array;
	fields: PlacedField[];
	watermark: boolean;
	title: string;
	documentId: string;
	sealedAt: Date;
}

export interface Sealed {
	bytes: Uint8Array;
	/** Lowercase hex digest of `bytes`. */
	sha256: string;
	/** Fields that could not be shown in full. */
	shortfalls: Array<Shortfall & Pick<PlacedField, 'page' | 'type' | 'recipientName'>>;
}

/**
 * Makes the signed file of a completed document (docs/service.md section 4, files variants): the
 * source with every field drawn at its place, the TEST watermark if `watermark`, and title,
 * document id, producer and the moment of sealing in the file's properties. The number of pages
 * stays the same.
 *
 * @throws RangeError when a field names a page that the source does not have.
 */
export async function sealDocument(input: SealInput): Promise<Sealed> {
	const document = await PDFDocument.load(input.source, { updateMetadata: false });
	const shortfalls = await drawOver(document, input);
	const subject = `Signed document ${input.documentId}, sealed ${input.sealedAt.toISOString()}`;
	setFileProperties(document, { title: input.title, subject, at: input.sealedAt });
	const bytes = await savePdf(document);
	return { bytes, sha256: createHash('sha256').update(bytes).digest('hex'), shortfalls };
}

/**
 * Draws a page over each page that has something to show; it lies as a reader shows the page below
 * it.
 */
async function drawOver(
	document: PDFDocument,
	{ fields, watermark }: SealInput,
): Promise<Sealed['shortfalls']> {
	const all = document.getPages();
	const beyond = fields.find(({ page }) => !all[page - 1]);
	if (beyond)
		throw new RangeError(`Field on page ${beyond.page} of a document of ${all.length} pages`);
	const shortfalls: Sealed['shortfalls'] = [];
	const numbers = [...all.keys()].filter(
		(index) => watermark || fields.some(({ page }) => page === index + 1),
	);
	if (numbers.length === 0) return shortfalls;
	const pages = numbers.flatMap((index) => all[index] ?? []);
	const drawn = drawPages(
		pages.map((page, place) => {
			const size = seenSize(page);
			return {
				...size,
				draw: (canvas) => {
					if (watermark) drawTestWatermark(canvas, size);
					for (const field of fields.filter((one) => one.page - 1 === numbers[place])) {
						const shortfall = drawField(canvas, size, field);
						const { page: number, type, recipientName } = field;
						if (shortfall) shortfalls.push({ ...shortfall, page: number, type, recipientName });
					}
				},
			};
		}),
	);
	const overlays = await document.embedPdf(drawn, [...pages.keys()]);
	pages.forEach((page, index) =>
		drawAsSeen(page, () => page.drawPage(overlays[index]!, { x: 0, y: 0 })),
	);
	return shortfalls;
}
