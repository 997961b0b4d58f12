import { PDFDocument } from 'pdf-lib';
import { savePdf } from '../savePdf';
import { DOC, DOCX, JPEG, PDF, PNG } from '../upload/mimeTypes';
import { openPdf } from '../upload/openPdf';
import { flattenForm } from './flattenForm';
import { addImagePage } from './imagePage';
import { wordPages } from './wordPages';

export type MergedSource =
	{ bytes: Uint8Array; pageCount: number } | { failed: number; reason: string };

/**
 * Makes one PDF of all files; `failed` is the place in the list of a file that cannot be read
 * through.
 */
export async function mergeSource(
	files: Array<{ bytes: Uint8Array; mimeType: string }>,
): Promise<MergedSource> {
	const [only] = files;
	if (files.length === 1 && only?.mimeType === PDF) return singlePdf(only.bytes);
	const source = await PDFDocument.create({ updateMetadata: false });
	for (const [index, { bytes, mimeType }] of files.entries()) {
		try {
			if (mimeType === PDF) await addPages(source, bytes);
			else if (mimeType === PNG || mimeType === JPEG)
				await addImagePage(source, Buffer.from(bytes), mimeType);
			else if (mimeType === DOCX || mimeType === DOC)
				await addPages(source, await wordPages(Buffer.from(bytes)));
			else throw new Error(`Files of type ${mimeType} are not accepted`);
		} catch (error) {
			return { failed: index, reason: String(error) };
		}
	}
	return { bytes: await savePdf(source), pageCount: source.getPageCount() };
}

/**
 * A single PDF stays the file it is, with its title, tags and bookmarks; only a form becomes part
 * of its pages.
 */
async function singlePdf(uploaded: Uint8Array): Promise<MergedSource> {
	try {
		const { document, bytes } = await openPdf(uploaded);
		const pageCount = document.getPageCount();
		return flattenForm(document)
			? { bytes: await savePdf(document), pageCount }
			: { bytes, pageCount };
	} catch (error) {
		return { failed: 0, reason: String(error) };
	}
}

async function addPages(source: PDFDocument, bytes: Uint8Array): Promise<void> {
	const { document } = await openPdf(bytes);
	flattenForm(document);
	const pages = await source.copyPages(document, document.getPageIndices());
	for (const page of pages) source.addPage(page);
}
