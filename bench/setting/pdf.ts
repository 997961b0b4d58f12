import { randomBytes } from 'node:crypto';
import { PDFDocument, PDFName } from 'pdf-lib';

/**
 * A PDF of one page and about `bytes` bytes, unlike any other: most of it is random data that
 * belongs to the page.
 */
export async function pdfOfSize(bytes: number, title: string): Promise<Buffer> {
	const pdf = await PDFDocument.create();
	const page = pdf.addPage();
	page.drawText(title, { x: 50, y: 700, size: 18 });
	const data = pdf.context.register(pdf.context.stream(randomBytes(bytes)));
	// Part of the page, so that it is kept where the service merges sources page by page.
	page.node.set(PDFName.of('BenchData'), data);
	return Buffer.from(await pdf.save({ useObjectStreams: false }));
}
