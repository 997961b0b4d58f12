import type { Canvas2D } from '../page/drawPages';
import { formatDate } from '../text/dateFormat';
import { writeText, type Written } from '../text/writeText';
import { seenBox } from '../page/pageSpace';
import { drawCheckbox, drawRadioGroup } from './drawChoice';
import { drawInitials, drawSignature, drawStamp } from './drawSignature';
import type { FieldCanvas } from './fieldCanvas';
import type { PlacedField } from './placedField';

const INK = '#111827';
const DEFAULT_SIZE = 11;

/** What of a field could not be shown. */
export interface Shortfall {
	/** The characters that are hollow boxes. */
	missing: string[];
	/** The box has no room for the end of the text. */
	cut: boolean;
}

/**
 * Draws what was filled into a field, in its box on a page that is `size` points large. Open fields
 * draw nothing. Undefined when all of it can be read.
 */
export function drawField(
	canvas: Canvas2D,
	size: { width: number; height: number },
	field: PlacedField,
): Shortfall | undefined {
	const { fontFamily, fontBold, fontItalic, fontColor } = field;
	const box = seenBox(size, field);
	const look = {
		family: fontFamily ?? 'HELVETICA',
		bold: fontBold ?? false,
		italic: fontItalic ?? false,
	};
	canvas.save();
	// Nothing that a recipient enters may cover the text of the contract around its field.
	canvas.beginPath();
	canvas.rect(box.x, box.y, box.width, box.height);
	canvas.clip();
	const written = draw({ canvas, field, box, look, color: fontColor ?? INK }, field.value ?? '');
	canvas.restore();
	const missing = [...new Set(written.flatMap((one) => one.missing))];
	const cut = written.some(({ complete }) => !complete);
	return cut || missing.length > 0 ? { missing, cut } : undefined;
}

function draw(canvas: FieldCanvas, value: string): Written[] {
	const { field } = canvas;
	if (field.type === 'CHECKBOX') drawCheckbox(canvas, value === 'true');
	if (field.type === 'CHECKBOX' || value === '') return [];
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

function drawText({ canvas, field, box, color, look }: FieldCanvas, text: string): Written[] {
	const multiline = field.type === 'TEXTAREA';
	const padding = Math.min(2, box.width * 0.05);
	const room = { ...box, x: box.x + padding, width: box.width - 2 * padding };
	const preferred = field.fontSize ?? Math.min(DEFAULT_SIZE, box.height * 0.75);
	return [writeText(canvas, text, look, room, { preferred, color, multiline, atTop: multiline })];
}
