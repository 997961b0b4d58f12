import { PDFDocument, StandardFonts, rgb } from 'pdf-lib';

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

const PAGE = { width: 595.28, height: 841.89, margin: 60 };
const INK = rgb(0.15, 0.15, 0.2);
const RULE = rgb(0.6, 0.6, 0.65);

/** The standard fonts draw Latin text only; anything else is shown as a question mark. */
function drawable(text: string): string {
	return text.replace(/[^\x20-\x7e\xa1-\xff]/g, '?');
}

function labelOf({ key, type, role }: TemplateSheet['fields'][number]): string {
	return drawable(`${key ?? type.toLowerCase().replace('_', ' ')}${role ? ` (${role})` : ''}`);
}

/** The pages of a template: its name, and a labelled line where each field will be. */
export async function drawTemplate(template: TemplateSheet): Promise<{ bytes: Buffer; pageCount: number }> {
	const pdf = await PDFDocument.create();
	const font = await pdf.embedFont(StandardFonts.Helvetica);
	const bold = await pdf.embedFont(StandardFonts.HelveticaBold);
	const pageCount = Math.max(1, ...template.fields.map(({ page }) => page));
	for (let number = 1; number <= pageCount; number++) {
		const page = pdf.addPage([PAGE.width, PAGE.height]);
		const top = PAGE.height - PAGE.margin;
		page.drawText(drawable(template.name).slice(0, 60), { x: PAGE.margin, y: top, size: 18, font: bold, color: INK });
		page.drawText(`Page ${number} of ${pageCount}`, { x: PAGE.margin, y: top - 20, size: 9, font, color: INK });
		for (const field of template.fields.filter((one) => one.page === number)) {
			const x = field.xNorm * PAGE.width;
			const y = PAGE.height * (1 - field.yNorm - field.heightNorm);
			page.drawText(labelOf(field), { x, y: y + field.heightNorm * PAGE.height + 2, size: 7, font, color: INK });
			page.drawLine({ start: { x, y }, end: { x: x + field.widthNorm * PAGE.width, y }, thickness: 0.5, color: RULE });
		}
	}
	return { bytes: Buffer.from(await pdf.save()), pageCount };
}
