import { PageSizes, PDFDocument, rgb, type PDFPage } from 'pdf-lib';
import type { FontLook } from './fonts/typefaces';
import { drawLines } from './text/drawLine';
import { fitText } from './text/fitText';
import { savePdf } from './savePdf';
import { FontBook } from './text/fontBook';

/** What is drawn of a template; coordinates as in PlacedField. */
export type TemplateSheet = {
	name: string;
	fields: Array<{
		key: string | null;
		type: string;
		role: string | null;
		page: number;
		xNorm: number;
		yNorm: number;
		widthNorm: number;
		heightNorm: number;
	}>;
};

const MARGIN = 60;
const INK = rgb(0.15, 0.15, 0.2);
const RULE = rgb(0.6, 0.6, 0.65);
const PRINT: FontLook = { family: 'HELVETICA' };
const BOLD: FontLook = { family: 'HELVETICA', bold: true };

function labelOf({ key, type, role }: TemplateSheet['fields'][number]): string {
	return `${key ?? type.toLowerCase().replace('_', ' ')}${role ? ` (${role})` : ''}`;
}

/** The pages of a template: its name, and a labelled line where each field will be. */
export async function drawTemplate(template: TemplateSheet): Promise<{ bytes: Uint8Array; pageCount: number }> {
	const pdf = await PDFDocument.create();
	const fonts = new FontBook(pdf);
	const [width, height] = PageSizes.A4;
	const write = async (page: PDFPage, text: string, size: number, look: FontLook, at: { x: number; y: number }) => {
		const room = { width: width - at.x, height: size * 1.2, preferred: size, multiline: false };
		const fitted = await fitText(fonts, text, look, room);
		drawLines(page, fitted, { x: at.x, width: room.width, top: at.y + fitted.size * 0.8, color: INK });
	};
	const pageCount = Math.max(1, ...template.fields.map(({ page }) => page));
	for (let number = 1; number <= pageCount; number++) {
		const page = pdf.addPage(PageSizes.A4);
		const top = height - MARGIN;
		await write(page, template.name, 18, BOLD, { x: MARGIN, y: top });
		await write(page, `Page ${number} of ${pageCount}`, 9, PRINT, { x: MARGIN, y: top - 20 });
		for (const field of template.fields.filter((one) => one.page === number)) {
			const x = field.xNorm * width;
			const y = height * (1 - field.yNorm - field.heightNorm);
			await write(page, labelOf(field), 7, PRINT, { x, y: y + field.heightNorm * height + 2 });
			page.drawLine({ start: { x, y }, end: { x: x + field.widthNorm * width, y }, thickness: 0.5, color: RULE });
		}
	}
	await fonts.write();
	return { bytes: await savePdf(pdf), pageCount };
}
