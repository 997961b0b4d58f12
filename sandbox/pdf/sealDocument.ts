import { PDFDocument } from 'pdf-lib';
import { drawField } from './fields/drawField';
import { drawPages, PRODUCER } from './page/drawPages';
import { quarterTurns, seenSize, turnedInto, visibleBox } from './page/pageSpace';
import { drawTestWatermark } from './page/watermark';
import type { SignedDocument } from './signedDocument';

/**
 * Makes the signed file of a completed document (docs/service.md section 4, files variants): the
 * source with every field drawn at its place, the TEST watermark on that of a test key, and title,
 * document id, producer and the moment of sealing in the file's properties.
 */
export async function sealDocument(signed: SignedDocument): Promise<Uint8Array> {
	const { id, title, completedAt } = signed;
	const document = await PDFDocument.load(signed.source, { updateMetadata: false });
	await drawOver(document, signed);
	document.setTitle(title, { showInWindowTitleBar: true });
	document.setSubject(`Signed document ${id}, sealed ${completedAt.toISOString()}`);
	document.setProducer(PRODUCER);
	document.setCreator(PRODUCER);
	document.setCreationDate(completedAt);
	document.setModificationDate(completedAt);
	return document.save();
}

/**
 * Draws a page over each page that has something to show; it lies as a reader shows the page below
 * it.
 */
async function drawOver(document: PDFDocument, { fields, mode }: SignedDocument): Promise<void> {
	const watermark = mode === 'TEST';
	const pages = document
		.getPages()
		.map((page, index) => ({
			page,
			size: seenSize(page),
			fields: fields.filter((field) => field.page === index + 1),
		}))
		.filter((page) => watermark || page.fields.length > 0);
	if (pages.length === 0) return;

	const drawn = drawPages(
		pages.map(({ size, fields: placed }) => ({
			...size,
			draw: (canvas) => {
				if (watermark) drawTestWatermark(canvas, size);
				for (const field of placed) drawField(canvas, size, field);
			},
		})),
	);
	const overlays = await document.embedPdf(drawn, [...pages.keys()]);
	overlays.forEach((overlay, index) => {
		const { page } = pages[index]!;
		page.drawPage(overlay, turnedInto(visibleBox(page), quarterTurns(page)));
	});
}
