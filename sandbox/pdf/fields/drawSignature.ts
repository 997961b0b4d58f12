import { rgb } from 'pdf-lib';
import { formatMoment } from '../text/dateFormat';
import { drawLines, heightOf } from '../text/drawLine';
import { fitText } from '../text/fitText';
import type { Drawing, FieldCanvas } from './fieldCanvas';

const INK_BLUE = rgb(0.09, 0.16, 0.44);
const RULE = rgb(0.55, 0.6, 0.7);
const PRINT = rgb(0.32, 0.36, 0.44);
const STAMP_RED = rgb(0.7, 0.13, 0.13);

/** A hand-written name over a line, and under it in print who signed and when. */
export async function drawSignature(canvas: FieldCanvas, written: string): Promise<Drawing> {
	const { page, fonts, field, box } = canvas;
	const captioned = box.height >= 24;
	const captionHeight = captioned ? Math.min(9, box.height * 0.26) : 0;
	const inner = { width: box.width * 0.96, height: (box.height - captionHeight) * 0.9 };
	const hand = { ...inner, preferred: Math.min(34, inner.height), multiline: false };
	const name = await fitText(fonts, written, { family: 'SCRIPT' }, hand);
	const when = field.signedAt ? ` · ${formatMoment(field.signedAt)}` : '';
	const print = { width: inner.width, height: captionHeight, preferred: captionHeight * 0.75, multiline: false };
	const caption = captioned
		? await fitText(fonts, `Signed by ${field.recipientName}${when}`, { family: 'HELVETICA' }, print)
		: undefined;
	const x = box.x + box.width * 0.02;
	const line = box.y + captionHeight;
	const draw = () => {
		const top = line + (box.height - captionHeight + heightOf(name)) / 2;
		drawLines(page, name, { x, width: inner.width, top, color: INK_BLUE });
		const ruled = { thickness: 0.6, color: RULE };
		page.drawLine({ start: { x: box.x, y: line }, end: { x: box.x + box.width, y: line }, ...ruled });
		if (caption) drawLines(page, caption, { x, width: inner.width, top: line - 0.8, color: PRINT, rise: 1 });
	};
	return { draw, complete: name.complete && (caption?.complete ?? true) };
}

/** Hand-written initials in the middle of the box. */
export async function drawInitials({ page, fonts, box }: FieldCanvas, written: string): Promise<Drawing> {
	const inner = { width: box.width * 0.92, height: box.height * 0.92 };
	const hand = { ...inner, preferred: Math.min(28, inner.height), multiline: false };
	const fitted = await fitText(fonts, written, { family: 'SCRIPT' }, hand);
	const top = box.y + (box.height + heightOf(fitted)) / 2;
	const draw = () => drawLines(page, fitted, { ...box, top, color: INK_BLUE, centred: true });
	return { draw, complete: fitted.complete };
}

/** The imprint of a rubber stamp: a double frame around the text in capitals, and the day below it. */
export async function drawStamp({ page, fonts, field, box }: FieldCanvas, written: string): Promise<Drawing> {
	const frame = Math.max(0.6, Math.min(1.6, box.height * 0.03));
	const inset = frame * 2.2;
	const inner = { width: Math.max(1, box.width - inset * 4), height: Math.max(1, box.height - inset * 4) };
	const text = field.signedAt
		? `${written.toUpperCase()}\n${field.signedAt.toISOString().slice(0, 10)}`
		: written.toUpperCase();
	const capitals = { ...inner, preferred: Math.min(14, inner.height * 0.45), multiline: true };
	const fitted = await fitText(fonts, text, { family: 'HELVETICA', bold: true }, capitals);
	const draw = () => {
		for (const [gap, borderWidth] of [
			[frame / 2, frame],
			[inset, frame / 2],
		] as const) {
			page.drawRectangle({
				x: box.x + gap,
				y: box.y + gap,
				width: box.width - 2 * gap,
				height: box.height - 2 * gap,
				borderColor: STAMP_RED,
				borderWidth,
			});
		}
		const top = box.y + (box.height + heightOf(fitted)) / 2;
		drawLines(page, fitted, { ...box, top, color: STAMP_RED, centred: true, rise: 0.85 });
	};
	return { draw, complete: fitted.complete };
}
