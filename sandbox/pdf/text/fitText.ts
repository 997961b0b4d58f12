import type { Size } from '../page/pageSpace';
import type { FontLook } from './fonts';
import { measureIn, wrap, type Line } from './lines';

/** From line to line, in ems. */
export const LINE_SPACING = 1.2;
/** Below this, in points, a text of one line is easier to read on two. */
const SMALLEST_UNWRAPPED = 6;
/** In points; 2,000 letters are not smaller in the smallest box that a person sees. */
const SMALLEST = 0.1;
/** Nobody sees a hundredth of a point. */
const PRECISION = 0.01;

/**
 * Fits text into a box: at `preferred` points if it can, else smaller, because a contract must show
 * all of what was filled in. Single-line text is wrapped only when it would otherwise become
 * unreadable.
 */
export function fitText(
	text: string,
	look: FontLook,
	{ width, height, preferred, multiline }: Size & { preferred: number; multiline?: boolean },
): { lines: Line[]; size: number } {
	let most = preferred;
	if (!multiline) {
		const lines = wrap(text, look, Number.POSITIVE_INFINITY);
		const widths = lines.map((line) => line.text.trimEnd()).map(measureIn(look));
		const widest = Math.max(...widths);
		const size = Math.min(preferred, width / widest, height / heightOf(lines.length));
		most = Math.min(preferred, SMALLEST_UNWRAPPED);
		if (size >= most) return { lines, size };
	}
	const wrapped = (size: number) => wrap(text, look, width / size);
	const fits = (size: number) => heightOf(wrapped(size).length) * size <= height + 1e-6;
	let size = fits(most) ? most : SMALLEST;
	for (let step = most / 2; size < most && step > PRECISION; step /= 2) {
		if (fits(size + step)) size += step;
	}
	return { lines: wrapped(size), size };
}

/** Of so many lines, in ems. */
export function heightOf(lines: number): number {
	return 1 + (lines - 1) * LINE_SPACING;
}
