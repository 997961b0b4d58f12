import { PDFDocument } from 'pdf-lib';
import { drawField } from './fields/drawField';
import { setFileProperties } from './fileProperties';
import { FontBook } from './text/fonts';
import type { PlacedField } from './fields/placedField';
import { drawTestWatermark } from './page/watermark';

/**
 * Makes the signed file of a completed document (docs/service.md section 4, files variants): the source with every
 * field drawn at its place, the TEST watermark if `watermark`, and title, document id, producer and the moment of
 * sealing in the file's properties. The number of pages stays the same.
 *
 * @throws RangeError when a field names a page that the source does not have.
 */
export async function sealDocument(input: {
	source: Buffer;
	fields: PlacedField[];
	watermark: boolean;
	title: string;
	documentId: string;
	sealedAt: Date;
}): Promise<Buffer> {
	const document = await PDFDocument.load(input.source, { updateMetadata: false });
	const fonts = new FontBook(document);
	const pages = document.getPages();
	if (input.watermark) {
		for (const page of pages) await drawTestWatermark(page, fonts);
	}
	for (const field of input.fields) {
		const page = pages[field.page - 1];
		if (!page) throw new RangeError(`Field on page ${field.page} of a document of ${pages.length} pages`);
		await drawField(page, fonts, field);
	}
	const subject = `Signed document ${input.documentId}, sealed ${input.sealedAt.toISOString()}`;
	setFileProperties(document, { title: input.title, subject, at: input.sealedAt });
	return Buffer.from(await document.save({ addDefaultPage: false, updateFieldAppearances: false }));
}
