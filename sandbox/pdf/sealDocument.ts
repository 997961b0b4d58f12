import { createHash } from 'node:crypto';
import { PDFDocument } from 'pdf-lib';
import { drawField, type Shortfall } from './fields/drawField';
import type { PlacedField } from './fields/placedField';
import { setFileProperties } from './fileProperties';
import { drawTestWatermark } from './page/watermark';
import { savePdf } from './savePdf';
import { FontBook } from './text/fontBook';

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
 * Makes the signed file of a completed document (docs/service.md section 4, files variants): the source with every
 * field drawn at its place, the TEST watermark if `watermark`, and title, document id, producer and the moment of
 * sealing in the file's properties. The number of pages stays the same.
 *
 * @throws RangeError when a field names a page that the source does not have.
 */
export async function sealDocument(input: SealInput): Promise<Sealed> {
	const document = await PDFDocument.load(input.source, { updateMetadata: false });
	const fonts = new FontBook(document);
	const pages = document.getPages();
	if (input.watermark) {
		for (const page of pages) await drawTestWatermark(page, fonts);
	}
	const shortfalls: Sealed['shortfalls'] = [];
	for (const field of input.fields) {
		const page = pages[field.page - 1];
		if (!page) throw new RangeError(`Field on page ${field.page} of a document of ${pages.length} pages`);
		const shortfall = await drawField(page, fonts, field);
		if (shortfall.cut || shortfall.missing.named.length > 0) {
			shortfalls.push({ ...shortfall, page: field.page, type: field.type, recipientName: field.recipientName });
		}
	}
	await fonts.write();
	const subject = `Signed document ${input.documentId}, sealed ${input.sealedAt.toISOString()}`;
	setFileProperties(document, { title: input.title, subject, at: input.sealedAt });
	const bytes = await savePdf(document);
	return { bytes, sha256: createHash('sha256').update(bytes).digest('hex'), shortfalls };
}
