import { PDFDocument } from 'pdf-lib';
import { convertWord } from '../word/convertWord';
import { addImagePage } from './imagePage';
import { DOC, DOCX, JPEG, PDF, PNG } from '../upload/inspectFile';
import { openPdf } from '../upload/openPdf';
import { SourceBuildError } from './sourceBuildError';

/**
 * Merges files into one PDF in the listed order (docs/service.md section 4, POST /documents): the pages of a PDF as
 * they are, the text of a DOCX or DOC laid out on pages, and an image on a page of its own.
 *
 * @throws SourceBuildError when a file, though accepted at upload, cannot be read through.
 */
export async function buildSource(
	files: Array<{ bytes: Buffer; mimeType: string }>,
): Promise<{ bytes: Buffer; pageCount: number }> {
	const source = await PDFDocument.create({ updateMetadata: false });
	for (const [index, file] of files.entries()) {
		try {
			await appendFile(source, file);
		} catch (cause) {
			throw new SourceBuildError(index, { cause });
		}
	}
	const bytes = Buffer.from(await source.save({ addDefaultPage: false, updateFieldAppearances: false }));
	return { bytes, pageCount: source.getPageCount() };
}

async function appendFile(source: PDFDocument, file: { bytes: Buffer; mimeType: string }): Promise<void> {
	switch (file.mimeType) {
		case PDF:
			return appendPages(source, await withFixedForm(file.bytes));
		case DOCX:
		case DOC:
			return appendPages(source, await PDFDocument.load(await convertWord(file.bytes)));
		case PNG:
		case JPEG:
			return addImagePage(source, file.bytes, file.mimeType);
		default:
			throw new Error(`Files of type ${file.mimeType} are not accepted`);
	}
}

async function appendPages(source: PDFDocument, original: PDFDocument): Promise<void> {
	const pages = await source.copyPages(original, original.getPageIndices());
	for (const page of pages) source.addPage(page);
}

/**
 * A form's fields do not survive the copying of pages, so what was filled into them is made part of the pages. A form
 * that pdf-lib cannot flatten leaves its widgets as they look.
 */
async function withFixedForm(bytes: Buffer): Promise<PDFDocument> {
	const document = await openPdf(bytes);
	if (document.catalog.getAcroForm() === undefined) return document;
	try {
		document.getForm().flatten({ updateFieldAppearances: false });
		return document;
	} catch {
		return openPdf(bytes);
	}
}
