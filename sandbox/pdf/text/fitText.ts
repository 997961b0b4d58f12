import type { FontLook } from '../fonts/typefaces';
import { compose } from './compose';
import type { FontBook } from './fontBook';
import { unwrapped, wrap, wrapsInto, type Line } from './lines';
import type { Paragraph } from './paragraph';

/** Lines of text at a size at which they fit a box. */
export interface FittedText {
	size: number;
	lineHeight: number;
	lines: Line[];
	/** False when even at the smallest size there was no room for all lines, and the last ones are missing. */
	complete: boolean;
}

/** Points. */
interface TextBox {
	width: number;
	height: number;
	preferred: number;
	multiline: boolean;
}

const LINE_SPACING = 1.2;
const SMALLEST_SIZE = 2;
/** Below this, a text of one line is easier to read on two. */
const SMALLEST_UNWRAPPED = 6;
/** Each step halves the range of sizes, which is 48 points at most: nobody sees a twentieth of a point. */
const STEPS = 10;

/**
 * Fits text into `width` x `height` points: at `preferred` points if it can, else smaller, because a contract must
 * show all of what was filled in. Single-line text is wrapped only when it would otherwise become unreadable.
 */
export async function fitText(fonts: FontBook, text: string, look: FontLook, box: TextBox): Promise<FittedText> {
	return fitParagraphs(await compose(fonts, text, look), box);
}

export function fitParagraphs(paragraphs: readonly Paragraph[], box: TextBox): FittedText {
	if (!box.multiline) {
		const lines = unwrapped(paragraphs);
		const widest = Math.max(...lines.map(({ width }) => width));
		const size = Math.min(box.preferred, box.width / widest, box.height / blockHeight(lines.length));
		if (size >= Math.min(box.preferred, SMALLEST_UNWRAPPED)) return fitted(lines, size, true);
	}
	const most = box.multiline ? box.preferred : Math.min(box.preferred, SMALLEST_UNWRAPPED);
	const size = largest(Math.min(SMALLEST_SIZE, most), most, (tried) => {
		return wrapsInto(linesIn(box.height / tried), paragraphs, box.width / tried);
	});
	const lines = wrap(paragraphs, box.width / size);
	const room = Math.max(1, linesIn(box.height / size));
	const complete = lines.length <= room && lines.every(({ width }) => width * size <= box.width + 1e-6);
	return fitted(lines.slice(0, room), size, complete);
}

function fitted(lines: Line[], size: number, complete: boolean): FittedText {
	return { size, lineHeight: size * LINE_SPACING, lines, complete };
}

/** How many lines a height in ems has room for. */
function linesIn(height: number): number {
	return Math.floor((height - 1) / LINE_SPACING + 1 + 1e-9);
}

/** Ems. */
function blockHeight(lines: number): number {
	return 1 + (lines - 1) * LINE_SPACING;
}

/** The largest size between `least` and `most` that fits, in a bounded number of tries; `least` when none does. */
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
