import { wrap, type Line, type Paragraph } from './lines';

/** Lines of text at a size at which they fit a box. */
export interface FittedText {
	/** Points. */
	size: number;
	lines: Line[];
	/**
	 * False when even at the smallest size there was no room for all lines, and the last ones are
	 * missing.
	 */
	complete: boolean;
}

/** Points. */
export interface TextBox {
	width: number;
	height: number;
	preferred: number;
	multiline?: boolean;
}

/** From line to line, in ems. */
export const LINE_SPACING = 1.2;
const SMALLEST_SIZE = 2;
/** Below this, a text of one line is easier to read on two. */
const SMALLEST_UNWRAPPED = 6;
/**
 * Each step halves the range of sizes, which is 48 points at most: nobody sees a twentieth of a
 * point.
 */
const STEPS = 10;

/**
 * Fits text into `width` x `height` points: at `preferred` points if it can, else smaller, because
 * a contract must show all of what was filled in. Single-line text is wrapped only when it would
 * otherwise become unreadable.
 */
export function fitText(
	paragraphs: readonly Paragraph[],
	{ width, height, preferred, multiline }: TextBox,
): FittedText {
	if (!multiline) {
		const lines = wrap(paragraphs, Number.POSITIVE_INFINITY);
		const widest = Math.max(...lines.map((line) => line.width));
		const size = Math.min(preferred, width / widest, height / heightOf(lines.length));
		if (size >= Math.min(preferred, SMALLEST_UNWRAPPED)) return { lines, size, complete: true };
	}
	const most = multiline ? preferred : Math.min(preferred, SMALLEST_UNWRAPPED);
	const fits = (size: number) =>
		heightOf(wrap(paragraphs, width / size).length) * size <= height + 1e-6;
	const size = largest(Math.min(SMALLEST_SIZE, most), most, fits);
	const lines = wrap(paragraphs, width / size);
	const room = Math.max(1, Math.floor((height / size - 1) / LINE_SPACING + 1 + 1e-6));
	const complete = lines.length <= room && lines.every((line) => line.width * size <= width + 1e-6);
	return { lines: lines.slice(0, room), size, complete };
}

/** Of so many lines, in ems. */
export function heightOf(lines: number): number {
	return 1 + (lines - 1) * LINE_SPACING;
}

/**
 * The largest size between `least` and `most` that fits, in a bounded number of tries; `least` when
 * none does.
 */
export function largest(least: number, most: number, fits: (size: number) => boolean): number {
	if (fits(most)) return most;
	let [low, high] = [least, most];
	for (let step = 0; step < STEPS; step++) {
		const middle = (low + high) / 2;
		if (fits(middle)) low = middle;
		else high = middle;
	}
	return low;
}
