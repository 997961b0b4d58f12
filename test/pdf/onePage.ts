import { textOf, type PageText } from '../../nodes/ESign/pdf';
import { PdfWriter } from './pdfWriter';

/** One page with such entries and content; more objects from number 10 on. */
export function pdf(entries: string, content: string | Buffer, ...more: string[]): Buffer {
	const writer = new PdfWriter()
		.object(1, '<< /Type /Catalog /Pages 2 0 R >>')
		.object(2, '<< /Type /Pages /Count 1 /Kids [3 0 R] >>')
		.object(3, `<< /Type /Page /Contents 4 0 R ${entries} >>`)
		.stream(4, '', Buffer.from(content));
	more.forEach((object, index) => writer.object(10 + index, object));
	return writer.table('/Root 1 0 R').bytes();
}

/** The source of an object that is a stream. */
export const stream = (content: string, entries = '') =>
	`<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`;

/** One page of 400 by 300 points with such content and fonts. */
export function written(content: string | Buffer, fonts: string, ...more: string[]): Buffer {
	const entries = `/MediaBox [0 0 400 300] /Resources << /Font << ${fonts} >> >>`;
	return pdf(entries, content, ...more);
}

export const HELVETICA = '/F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
export const show = (text: string) => `BT /F1 12 Tf 50 200 Td ${text} ET`;

export async function pageOf(bytes: Buffer): Promise<PageText> {
	const [page] = (await textOf(bytes)) ?? [];
	if (!page) throw new Error('The file has no text');
	return page;
}
