import { clip, endPath, rectangle, rgb, type Color, type PDFPage } from 'pdf-lib';
import { formatDate } from '../text/dateFormat';
import type { FieldCanvas } from './fieldCanvas';
import { drawCheckbox, drawRadioGroup } from './drawChoice';
import { drawInitials, drawSignature, drawStamp } from './drawSignature';
import type { FontBook } from '../text/fonts';
import { drawAsSeen, seenBox } from '../page/pageSpace';
import type { PlacedField } from './placedField';
import { fitText } from '../text/textLayout';

const INK = '#111827';
const DEFAULT_SIZE = 11;

/** Draws what was filled into a field, in its box, upright for whoever looks at the page. Open fields draw nothing. */
export async function drawField(page: PDFPage, fonts: FontBook, field: PlacedField): Promise<void> {
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
	const draw = await prepare(canvas);
	if (!draw) return;
	const { x, y, width, height } = canvas.box;
	drawAsSeen(page, () => {
		// Nothing that a recipient enters may cover the text of the contract around its field.
		page.pushOperators(rectangle(x, y, width, height), clip(), endPath());
		draw();
	});
}

/** Lettering needs fonts, which load asynchronously, while drawing must not be interleaved: hence the two steps. */
function prepare(canvas: FieldCanvas): Promise<(() => void) | undefined> {
	const { field } = canvas;
	const signed = field.signedAt !== null;
	const value = field.value ?? '';
	switch (field.type) {
		case 'SIGNATURE':
			return signed || value ? drawSignature(canvas, value || field.recipientName) : open();
		case 'INITIALS':
			return signed || value ? drawInitials(canvas, value || initialsOf(field.recipientName)) : open();
		case 'STAMP':
			return signed || value ? drawStamp(canvas, value || field.recipientName) : open();
		case 'CHECKBOX':
			return drawCheckbox(canvas, value === 'true');
		case 'RADIO_GROUP':
			return value ? drawRadioGroup(canvas, value) : open();
		case 'DATE':
			return value ? drawText(canvas, formatDate(value, field.dateFormat)) : open();
		default:
			return value ? drawText(canvas, value) : open();
	}
}

async function open(): Promise<undefined> {
	return undefined;
}

async function drawText({ page, fonts, field, box, color, look }: FieldCanvas, text: string): Promise<() => void> {
	const multiline = field.type === 'TEXTAREA';
	const padding = Math.min(2, box.width * 0.05);
	const { font, size, lineHeight, lines } = await fitText(fonts, text, look, {
		width: box.width - 2 * padding,
		height: box.height,
		preferred: field.fontSize ?? Math.min(DEFAULT_SIZE, box.height * 0.75),
		multiline,
	});
	const block = size + (lines.length - 1) * lineHeight;
	const top = multiline ? box.y + box.height : box.y + (box.height + block) / 2;
	return () => {
		lines.forEach((line, index) => {
			page.drawText(line, { x: box.x + padding, y: top - size * 0.8 - index * lineHeight, size, font, color });
		});
	};
}

function initialsOf(name: string): string {
	return name
		.split(/[\s-]+/)
		.map((part) => [...part][0] ?? '')
		.join('')
		.toUpperCase();
}

/** `#RRGGBB`, as the API's schema demands it (docs/service.md section 2, fontColor). */
function parseColor(hex: string): Color {
	const value = Number.parseInt(hex.slice(1), 16);
	return rgb(((value >> 16) & 255) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255);
}
