import type { Box } from '../page/pageSpace';
import { formatMoment } from '../text/dateFormat';
import { writeText } from '../text/writeText';
import type { FieldCanvas } from './placedField';

const INK_BLUE = '#172970';
const RULE = '#8c99b3';
const PRINT = '#525c70';
const STAMP_RED = '#b32121';

/** A hand-written name over a line, and under it in print who signed and when. */
export function drawSignature({ canvas, field, box }: FieldCanvas, written: string): void {
	const captionHeight = box.height >= 24 ? Math.min(9, box.height * 0.26) : 0;
	const room = { ...box, x: box.x + box.width * 0.02, width: box.width * 0.96 };
	const line = box.y + box.height - captionHeight;
	const height = (box.height - captionHeight) * 0.9;
	const hand = { family: 'SCRIPT', color: INK_BLUE, preferred: Math.min(34, height) } as const;
	writeText(canvas, written, hand, { ...room, y: line - height, height });
	canvas.strokeStyle = RULE;
	canvas.lineWidth = 0.6;
	canvas.beginPath();
	canvas.moveTo(box.x, line);
	canvas.lineTo(box.x + box.width, line);
	canvas.stroke();
	if (captionHeight === 0) return;
	const when = field.signedAt ? ` · ${formatMoment(field.signedAt)}` : '';
	const print = { family: 'HELVETICA', color: PRINT, preferred: captionHeight * 0.75 } as const;
	const below = { ...room, y: line + 0.8, height: captionHeight };
	writeText(canvas, `Signed by ${field.recipientName}${when}`, print, below);
}

/** Hand-written initials in the middle of the box. */
export function drawInitials({ canvas, box }: FieldCanvas, written: string): void {
	const preferred = Math.min(28, box.height * 0.92);
	const hand = { family: 'SCRIPT', color: INK_BLUE, preferred, align: 'center' } as const;
	writeText(canvas, written, hand, box);
}

/**
 * The imprint of a rubber stamp: a double frame around the text in capitals, and the day below it.
 */
export function drawStamp({ canvas, field, box }: FieldCanvas, written: string): void {
	const frame = Math.max(0.6, Math.min(1.6, box.height * 0.03));
	canvas.strokeStyle = STAMP_RED;
	const stroke = (lineWidth: number, gap: number) => {
		const { x, y, width, height } = within(box, gap);
		canvas.lineWidth = lineWidth;
		canvas.strokeRect(x, y, width, height);
	};
	stroke(frame, frame / 2);
	stroke(frame / 2, frame * 2.2);
	const inner = within(box, frame * 4.4);
	const capitals = {
		family: 'HELVETICA',
		bold: true,
		color: STAMP_RED,
		multiline: true,
		align: 'center',
		preferred: Math.min(14, inner.height * 0.45),
	} as const;
	const day = field.signedAt ? `\n${field.signedAt.toISOString().slice(0, 10)}` : '';
	writeText(canvas, `${written.toUpperCase()}${day}`, capitals, inner);
}

function within({ x, y, width, height }: Box, gap: number): Box {
	return {
		x: x + gap,
		y: y + gap,
		width: Math.max(1, width - 2 * gap),
		height: Math.max(1, height - 2 * gap),
	};
}
