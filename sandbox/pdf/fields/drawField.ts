import type { Canvas2D } from '../page/drawPages';
import { seenBox, type Size } from '../page/pageSpace';
import { formatDate } from '../text/dateFormat';
import { writeText } from '../text/writeText';
import { drawCheckbox, drawRadioGroup } from './drawChoice';
import { drawInitials, drawSignature, drawStamp } from './drawSignature';
import type { FieldCanvas, PlacedField } from './placedField';

const INK = '#111827';
const DEFAULT_SIZE = 11;

/**
 * Draws what was filled into a field, in its box on a page that is `size` points large. Open fields
 * draw nothing.
 */
export function drawField(canvas: Canvas2D, size: Size, field: PlacedField): void {
	const box = seenBox(size, field);
	const style = {
		family: field.fontFamily ?? 'HELVETICA',
		bold: field.fontBold ?? false,
		italic: field.fontItalic ?? false,
		color: field.fontColor ?? INK,
	};
	canvas.save();
	// Nothing that a recipient enters may cover the text of the contract around its field.
	canvas.beginPath();
	canvas.rect(box.x, box.y, box.width, box.height);
	canvas.clip();
	draw({ canvas, field, box, style }, field.value ?? '');
	canvas.restore();
}

function draw(canvas: FieldCanvas, value: string): void {
	const { type, dateFormat } = canvas.field;
	if (type === 'CHECKBOX') drawCheckbox(canvas, value === 'true');
	else if (value === '') return;
	else if (type === 'SIGNATURE') drawSignature(canvas, value);
	else if (type === 'INITIALS') drawInitials(canvas, value);
	else if (type === 'STAMP') drawStamp(canvas, value);
	else if (type === 'RADIO_GROUP') drawRadioGroup(canvas, value);
	else drawText(canvas, type === 'DATE' ? formatDate(value, dateFormat) : value);
}

function drawText({ canvas, field, box, style }: FieldCanvas, text: string): void {
	const padding = Math.min(2, box.width * 0.05);
	const room = { ...box, x: box.x + padding, width: box.width - 2 * padding };
	const preferred = field.fontSize ?? Math.min(DEFAULT_SIZE, box.height * 0.75);
	writeText(canvas, text, { ...style, preferred, multiline: field.type === 'TEXTAREA' }, room);
}
