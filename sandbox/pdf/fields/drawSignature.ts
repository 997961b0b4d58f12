import { formatMoment } from '../text/dateFormat';
import { writeText, type Written } from '../text/writeText';
import type { FieldCanvas } from './fieldCanvas';

const INK_BLUE = '#172970';
const RULE = '#8c99b3';
const PRINT = '#525c70';
const STAMP_RED = '#b32121';

/** A hand-written name over a line, and under it in print who signed and when. */
export function drawSignature({ canvas, field, box }: FieldCanvas, written: string): Written[] {
	const captionHeight = box.height >= 24 ? Math.min(9, box.height * 0.26) : 0;
	const room = { ...box, x: box.x + box.width * 0.02, width: box.width * 0.96 };
	const line = box.y + box.height - captionHeight;
	const height = (box.height - captionHeight) * 0.9;
	const hand = { ...room, y: line - height, height };
	const style = { preferred: Math.min(34, height), color: INK_BLUE };
	const name = writeText(canvas, written, { family: 'SCRIPT' }, hand, style);
	canvas.strokeStyle = RULE;
	canvas.lineWidth = 0.6;
	canvas.beginPath();
	canvas.moveTo(box.x, line);
	canvas.lineTo(box.x + box.width, line);
	canvas.stroke();
	if (captionHeight === 0) return [name];
	const when = field.signedAt ? ` · ${formatMoment(field.signedAt)}` : '';
	const caption = `Signed by ${field.recipientName}${when}`;
	const below = { ...room, y: line + 0.8, height: captionHeight };
	const print = { preferred: captionHeight * 0.75, color: PRINT, atTop: true, rise: 1 };
	return [name, writeText(canvas, caption, { family: 'HELVETICA' }, below, print)];
}

/** Hand-written initials in the middle of the box. */
export function drawInitials({ canvas, box }: FieldCanvas, written: string): Written[] {
	const style = {
		preferred: Math.min(28, box.height * 0.92),
		color: INK_BLUE,
		align: 'center',
	} as const;
	return [writeText(canvas, written, { family: 'SCRIPT' }, box, style)];
}

/**
 * The imprint of a rubber stamp: a double frame around the text in capitals, and the day below it.
 */
export function drawStamp({ canvas, field, box }: FieldCanvas, written: string): Written[] {
	const { x, y, width, height } = box;
	const frame = Math.max(0.6, Math.min(1.6, height * 0.03));
	const inset = frame * 2.2;
	canvas.strokeStyle = STAMP_RED;
	for (const [gap, lineWidth] of [
		[frame / 2, frame],
		[inset, frame / 2],
	] as const) {
		canvas.lineWidth = lineWidth;
		canvas.strokeRect(x + gap, y + gap, width - 2 * gap, height - 2 * gap);
	}
	const day = field.signedAt ? `\n${field.signedAt.toISOString().slice(0, 10)}` : '';
	const gap = inset * 2;
	const inner = {
		x: x + gap,
		y: y + gap,
		width: Math.max(1, width - 2 * gap),
		height: Math.max(1, height - 2 * gap),
	};
	const capitals = {
		preferred: Math.min(14, inner.height * 0.45),
		color: STAMP_RED,
		multiline: true,
		align: 'center',
	} as const;
	const look = { family: 'HELVETICA', bold: true } as const;
	return [
		writeText(canvas, `${written.toUpperCase()}${day}`, look, inner, { ...capitals, rise: 0.85 }),
	];
}
