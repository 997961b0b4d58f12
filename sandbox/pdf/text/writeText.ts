import type { Canvas2D } from '../page/drawPages';
import type { Box } from '../page/pageSpace';
import { fitText, heightOf, LINE_SPACING } from './fitText';
import { fontOf, undrawable, type FontLook } from './fonts';
import { paragraphsOf, type Line } from './lines';

/** What became of a text. */
export interface Written {
	/** The characters for which there is a hollow box. */
	missing: string[];
	/** False when its end had no room. */
	complete: boolean;
}

interface Style {
	/** Points. */
	preferred: number;
	/** Of the form #rrggbb. */
	color: string;
	multiline?: boolean;
	align?: 'left' | 'center';
	/** Stands at the top of its box and not in the middle. */
	atTop?: boolean;
	/** How far below the top of a line its letters stand, in ems. */
	rise?: number;
}

/** Writes a text into a box, in which it is made as small as it must be. */
export function writeText(
	canvas: Canvas2D,
	text: string,
	look: FontLook,
	box: Box,
	style: Style,
): Written {
	const { color, align, atTop, rise = 0.8 } = style;
	const { lines, size, complete } = fitText(paragraphsOf(text, look), { ...box, ...style });
	const top = atTop ? box.y : box.y + (box.height - heightOf(lines.length) * size) / 2;
	lines.forEach((line, index) => {
		const y = top + (rise + index * LINE_SPACING) * size;
		drawLine(canvas, line, { ...box, y, look, size, color, align });
	});
	return { missing: undrawable(text), complete };
}

/**
 * Draws a line on a baseline at `y`, no wider than `width`, and without `align` on the side on
 * which it begins.
 */
export function drawLine(
	canvas: Canvas2D,
	{ text, rightToLeft }: Line,
	place: {
		x: number;
		y: number;
		width: number;
		look: FontLook;
		size: number;
		color: string;
		align?: Style['align'];
	},
): void {
	const { x, y, width, look, size, color, align = rightToLeft ? 'right' : 'left' } = place;
	canvas.font = fontOf(look, size);
	canvas.fillStyle = color;
	canvas.direction = rightToLeft ? 'rtl' : 'ltr';
	canvas.textAlign = align;
	canvas.fillText(
		text.trimEnd(),
		x + { left: 0, center: width / 2, right: width }[align],
		y,
		width,
	);
}
