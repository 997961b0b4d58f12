import { PDFDocument } from 'pdf-lib';
import { FontBook } from '../text/fonts';
import { addTextPages } from './textPages';
import { readWordText } from './wordText';

/** A DOCX or DOC as a PDF of its text in a plain layout. */
export async function wordPages(bytes: Buffer): Promise<Uint8Array> {
	const document = await PDFDocument.create({ updateMetadata: false });
	await addTextPages(document, new FontBook(document), await readWordText(bytes));
	return document.save({ addDefaultPage: false });
}
