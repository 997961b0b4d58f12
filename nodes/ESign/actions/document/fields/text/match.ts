import type { PageText } from '../../../../pdf';
import { gapBetween, type Flow } from './flow';
import type { Glyph } from './glyph';

/** In points from the top left corner of the page as it is seen. */
export interface Box {
	left: number;
	top: number;
	right: number;
	bottom: number;
}

/** A text where it stands in the document. */
export interface Match {
	page: PageText;
	pageNumber: number;
	/** The place of its first glyph in the order of reading. */
	place: number;
	/** As it is written, with a space or the end of a line where there is one. */
	text: string;
	/** Its longest piece, if it is broken over lines. */
	box: Box;
	/** The height of the em. */
	size: number;
	/** Whether it is read from left to right, neither turned nor aslant. */
	isLevel: boolean;
}

/** The text from one character of a flow to another, behind it. */
export function matchIn({ page, pageNumber, glyphs }: Flow, from: number, to: number): Match {
	const [first, ...others] = [...new Set(glyphs.slice(from, to))] as [Glyph, ...Glyph[]];
	let { text } = first;
	const pieces = [[first]];
	let before = first;
	for (const glyph of others) {
		const gap = gapBetween(before, glyph);
		text += gap + glyph.text;
		if (gap === '\n') pieces.push([]);
		pieces.at(-1)?.push(glyph);
		before = glyph;
	}
	const boxes = pieces.map(boxAround);
	const box = boxes.reduce((one, other) => (lengthOf(other) > lengthOf(one) ? other : one));
	const { size, dx } = first.run;
	return {
		page,
		pageNumber,
		place: first.place,
		text: text.trim(),
		box,
		size,
		isLevel: dx > 0.999,
	};
}

function boxAround(glyphs: readonly Glyph[]): Box {
	const corners = glyphs.flatMap(cornersOf);
	const xs = corners.map(({ x }) => x);
	const ys = corners.map(({ y }) => y);
	const [left, top] = [Math.min(...xs), Math.min(...ys)];
	return { left, top, right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** A glyph is one em high, a quarter of it below the baseline. */
function cornersOf({ run, begin, end, depth }: Glyph) {
	const { dx, dy, ux, uy } = run;
	return [begin, end].flatMap((along) =>
		[-0.25, 0.75].map((up) => ({
			x: along * dx - depth * dy + up * ux,
			y: along * dy + depth * dx + up * uy,
		})),
	);
}

function lengthOf({ left, top, right, bottom }: Box): number {
	return Math.hypot(right - left, bottom - top);
}

/**
 * In the order of reading. Both orders of a page have most texts: of two that begin with one glyph,
 * the first counts.
 */
export function inOrder<Found extends Match>(matches: readonly Found[]): Found[] {
	const byPlace = new Map(matches.toReversed().map((match) => [match.place, match]));
	return [...byPlace.values()].sort((one, other) => one.place - other.place);
}
