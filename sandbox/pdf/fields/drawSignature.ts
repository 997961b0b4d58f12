import { rgb } from 'pdf-lib';
import { formatMoment } from '../text/dateFormat';
import type { FieldCanvas } from './fieldCanvas';
import { fitText } from '../text/textLayout';

const INK_BLUE = rgb(0.09, 0.16, 0.44);
const RULE = rgb(0.55, 0.6, 0.7);
const PRINT = rgb(0.32, 0.36, 0.44);
const STAMP_RED = rgb(0.7, 0.13, 0.13);

/** A hand-written name over a line, and under it in print who signed and when. */
export async function drawSignature(canvas: FieldCanvas, written: string): Promise<() => void> {
	const { page, fonts, field, box } = canvas;
	const captioned = box.height >= 24;
	const captionHeight = captioned ? Math.min(9, box.height * 0.26) : 0;
	const inner = { width: box.width * 0.96, height: (box.height - captionHeight) * 0.9 };
	const name = await fitText(
		fonts,
		written,
		{ family: 'SCRIPT' },
		{
			...inner,
			preferred: Math.min(34, inner.height),
			multiline: false,
		},
	);
	const when = field.signedAt ? ` · ${formatMoment(field.signedAt)}` : '';
	const caption = await fitText(
		fonts,
		`Signed by ${field.recipientName}${when}`,
		{ family: 'HELVETICA' },
		{
			width: inner.width,
			height: Math.max(captionHeight, 1),
			preferred: Math.max(captionHeight * 0.75, 1),
			multiline: false,
		},
	);
	const left = box.x + box.width * 0.02;
	const line = box.y + captionHeight;
	return () => {
		const block = name.size + (name.lines.length - 1) * name.lineHeight;
		const top = line + (box.height - captionHeight + block) / 2;
		name.lines.forEach((text, index) => {
			const y = top - name.size * 0.8 - index * name.lineHeight;
			page.drawText(text, { x: left, y, size: name.size, font: name.font, color: INK_BLUE });
		});
		page.drawLine({
			start: { x: box.x, y: line },
			end: { x: box.x + box.width, y: line },
			thickness: 0.6,
			color: RULE,
		});
		if (!captioned) return;
		caption.lines.forEach((text, index) => {
			const y = line - caption.size - 0.8 - index * caption.lineHeight;
			page.drawText(text, { x: left, y, size: caption.size, font: caption.font, color: PRINT });
		});
	};
}

/** Hand-written initials in the middle of the box. */
export async function drawInitials({ page, fonts, box }: FieldCanvas, written: string): Promise<() => void> {
	const inner = { width: box.width * 0.92, height: box.height * 0.92 };
	const { font, size, lines } = await fitText(
		fonts,
		written,
		{ family: 'SCRIPT' },
		{
			...inner,
			preferred: Math.min(28, inner.height),
			multiline: false,
		},
	);
	const text = lines.join(' ');
	return () => {
		const x = box.x + (box.width - font.widthOfTextAtSize(text, size)) / 2;
		page.drawText(text, { x, y: box.y + box.height / 2 - size * 0.3, size, font, color: INK_BLUE });
	};
}

/** The imprint of a rubber stamp: a double frame around the text in capitals, and the day below it. */
export async function drawStamp({ page, fonts, field, box }: FieldCanvas, written: string): Promise<() => void> {
	const frame = Math.max(0.6, Math.min(1.6, box.height * 0.03));
	const inset = frame * 2.2;
	const inner = { width: box.width - inset * 4, height: box.height - inset * 4 };
	const text = field.signedAt
		? `${written.toUpperCase()}\n${field.signedAt.toISOString().slice(0, 10)}`
		: written.toUpperCase();
	const fitted = await fitText(
		fonts,
		text,
		{ family: 'HELVETICA', bold: true },
		{
			...inner,
			preferred: Math.min(14, inner.height * 0.45),
			multiline: true,
		},
	);
	return () => {
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
		const block = fitted.size + (fitted.lines.length - 1) * fitted.lineHeight;
		const top = box.y + (box.height + block) / 2;
		fitted.lines.forEach((line, index) => {
			const x = box.x + (box.width - fitted.font.widthOfTextAtSize(line, fitted.size)) / 2;
			const y = top - fitted.size * 0.85 - index * fitted.lineHeight;
			page.drawText(line, { x, y, size: fitted.size, font: fitted.font, color: STAMP_RED });
		});
	};
}
