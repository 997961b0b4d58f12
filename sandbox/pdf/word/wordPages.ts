import { PDFDocument } from 'pdf-lib';
import { savePdf } from '../savePdf';
import { FontBook } from '../text/fontBook';
import { addTextPages } from './textPages';
import { readWordText } from './wordText';

/** A DOCX or DOC as a PDF of its text in a plain layout. */
export async function wordPages(bytes: Buffer): Promise<Uint8Array> {
	const document = await PDFDocument.create({ updateMetadata: false });
	const fonts = new FontBook(document);
	await addTextPages(document, fonts, await readWordText(bytes));
	await fonts.write();
	return savePdf(document);
}
