import type { Canvas2D } from '../page/drawPages';
import type { Box } from '../page/pageSpace';
import { fitText, heightOf, LINE_SPACING } from './fitText';
import { fontOf, type FontLook } from './fonts';
import type { Line } from './lines';

/** How far below the top of a line its letters stand, in ems. */
const RISE = 0.8;

/** How text looks; `color` is of the form #rrggbb. */
export interface TextStyle extends FontLook {
	color: string;
	/** On the side on which the text begins if it is not given. */
	align?: 'left' | 'center' | 'right';
}

/**
 * Writes a text into a box, at `preferred` points or as small as it must be: in its middle, or at its
 * top if it may have several lines and is not centred.
 */
export function writeText(
	canvas: Canvas2D,
	text: string,
	style: TextStyle & { preferred: number; multiline?: boolean },
	box: Box,
): void {
	const { lines, size } = fitText(text, style, { ...box, ...style });
	const atTop = style.multiline && style.align !== 'center';
	const below = atTop ? 0 : (box.height - heightOf(lines.length) * size) / 2;
	lines.forEach((line, index) => {
		const y = box.y + below + (RISE + index * LINE_SPACING) * size;
		drawLine(canvas, line, style, { ...box, y, size });
	});
}

/** Draws a line of so many points on a baseline at `y`, no wider than `width`. */
export function drawLine(
	canvas: Canvas2D,
	{ text, rightToLeft }: Line,
	{ color, align = rightToLeft ? 'right' : 'left', ...look }: TextStyle,
	{ x, y, width, size }: { x: number; y: number; width: number; size: number },
): void {
	canvas.font = fontOf(look, size);
	canvas.fillStyle = color;
	canvas.direction = rightToLeft ? 'rtl' : 'ltr';
	canvas.textAlign = align;
	const start = { left: x, center: x + width / 2, right: x + width }[align];
	canvas.fillText(text.trimEnd(), start, y, width);
}
