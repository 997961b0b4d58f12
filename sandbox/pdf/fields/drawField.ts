import { clip, endPath, rectangle, rgb, type Color, type PDFPage } from 'pdf-lib';
import { formatDate } from '../text/dateFormat';
import type { Drawing, FieldCanvas } from './fieldCanvas';
import { drawCheckbox, drawRadioGroup } from './drawChoice';
import { drawInitials, drawSignature, drawStamp } from './drawSignature';
import type { FontBook, Missing } from '../text/fontBook';
import { drawAsSeen, seenBox } from '../page/pageSpace';
import type { PlacedField } from './placedField';
import { drawLines, heightOf } from '../text/drawLine';
import { fitText } from '../text/fitText';

const INK = '#111827';
const DEFAULT_SIZE = 11;

/** What of a field could not be shown. */
export interface Shortfall {
	missing: Missing;
	/** The box has no room for the end of the text. */
	cut: boolean;
}

/** Draws what was filled into a field, in its box, upright for whoever looks at the page. Open fields draw nothing. */
export async function drawField(page: PDFPage, fonts: FontBook, field: PlacedField): Promise<Shortfall> {
	const canvas: FieldCanvas = {
		page,
		fonts,
		field,
		box: seenBox(page, field),
		color: parseColor(field.fontColor ?? INK),
		look: {
			family: field.fontFamily ?? 'HELVETICA',
			bold: field.fontBold ?? false,
			italic: field.fontItalic ?? false,
		},
	};
	const drawing = await prepare(canvas, field.value ?? '');
	if (!drawing) return { missing: { named: [], more: 0 }, cut: false };
	const { x, y, width, height } = canvas.box;
	drawAsSeen(page, () => {
		// Nothing that a recipient enters may cover the text of the contract around its field.
		page.pushOperators(rectangle(x, y, width, height), clip(), endPath());
		drawing.draw();
	});
	return { missing: fonts.takeMissing(), cut: !drawing.complete };
}

async function prepare(canvas: FieldCanvas, value: string): Promise<Drawing | undefined> {
	const { field } = canvas;
	if (field.type === 'CHECKBOX') return drawCheckbox(canvas, value === 'true');
	if (value === '') return undefined;
	switch (field.type) {
		case 'SIGNATURE':
			return drawSignature(canvas, value);
		case 'INITIALS':
			return drawInitials(canvas, value);
		case 'STAMP':
			return drawStamp(canvas, value);
		case 'RADIO_GROUP':
			return drawRadioGroup(canvas, value);
		case 'DATE':
			return drawText(canvas, formatDate(value, field.dateFormat));
		default:
			return drawText(canvas, value);
	}
}

async function drawText({ page, fonts, field, box, color, look }: FieldCanvas, text: string): Promise<Drawing> {
	const multiline = field.type === 'TEXTAREA';
	const padding = Math.min(2, box.width * 0.05);
	const width = box.width - 2 * padding;
	const fitted = await fitText(fonts, text, look, {
		width,
		height: box.height,
		preferred: field.fontSize ?? Math.min(DEFAULT_SIZE, box.height * 0.75),
		multiline,
	});
	const top = multiline ? box.y + box.height : box.y + (box.height + heightOf(fitted)) / 2;
	return {
		draw: () => drawLines(page, fitted, { x: box.x + padding, width, top, color }),
		complete: fitted.complete,
	};
}

/** `#RRGGBB`, as the API's schema demands it (docs/service.md section 2, fontColor). */
function parseColor(hex: string): Color {
	const value = Number.parseInt(hex.slice(1), 16);
	return rgb(((value >> 16) & 255) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255);
}
