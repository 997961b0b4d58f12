import { PDFDocument } from 'pdf-lib';
import { DOC, DOCX, JPEG, PDF, PNG } from '../upload/mimeTypes';
import { openPdf } from '../upload/openPdf';
import { flattenForm } from './flattenForm';
import { addJpegPage, addPngPage } from './imagePage';
import { wordPages } from './wordPages';

interface File {
	bytes: Uint8Array;
	mimeType: string;
}

/**
 * Makes one PDF of all files. A single PDF stays the file it is, with its title, tags and
 * bookmarks; only a form becomes part of its pages.
 *
 * @throws when a file cannot be read through
 */
export async function mergeSource(
	files: File[],
): Promise<{ bytes: Uint8Array; pageCount: number }> {
	const [only] = files;
	if (files.length === 1 && only?.mimeType === PDF) {
		const { bytes, document } = await openFlat(only.bytes);
		return { bytes, pageCount: document.getPageCount() };
	}
	const source = await PDFDocument.create({ updateMetadata: false });
	for (const file of files) await addFile(source, file);
	return { bytes: await source.save(), pageCount: source.getPageCount() };
}

async function addFile(source: PDFDocument, { bytes, mimeType }: File): Promise<void> {
	switch (mimeType) {
		case PDF:
			return addPages(source, (await openFlat(bytes)).document);
		case DOCX:
		case DOC:
			return addPages(source, await PDFDocument.load(await wordPages(Buffer.from(bytes))));
		case PNG:
			return addPngPage(source, Buffer.from(bytes));
		case JPEG:
			return addJpegPage(source, Buffer.from(bytes));
		default:
			throw new Error(`Files of type ${mimeType} are not accepted`);
	}
}

async function openFlat(uploaded: Uint8Array): ReturnType<typeof openPdf> {
	const opened = await openPdf(uploaded);
	const hasForm = opened.document.catalog.getAcroForm() !== undefined;
	return hasForm ? openPdf(await flattenForm(opened.document)) : opened;
}

async function addPages(source: PDFDocument, document: PDFDocument): Promise<void> {
	const pages = await source.copyPages(document, document.getPageIndices());
	for (const page of pages) source.addPage(page);
}
