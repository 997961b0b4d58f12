import type { PageText } from '../../../../pdf';
import { around, type Box } from '../boxes/box';
import { gapBetween, type Flow } from './flow';
import type { Glyph } from './glyph';

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
	const pieces = [boxOf(first)];
	let before = first;
	for (const glyph of others) {
		const gap = gapBetween(before, glyph);
		text += gap + glyph.text;
		const piece = gap === '\n' ? undefined : pieces.pop();
		pieces.push(piece ? around(piece, boxOf(glyph)) : boxOf(glyph));
		before = glyph;
	}
	const box = pieces.reduce((one, other) => (lengthOf(other) > lengthOf(one) ? other : one));
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

/** Of a glyph: one em high, a quarter of it below the baseline. */
function boxOf({ run, begin, end, depth }: Glyph): Box {
	const { dx, dy, ux, uy } = run;
	const corners = [begin, end].flatMap((along) =>
		[-0.25, 0.75].map((up) => {
			const x = along * dx - depth * dy + up * ux;
			const y = along * dy + depth * dx + up * uy;
			return { left: x, top: y, right: x, bottom: y };
		}),
	);
	return around(...corners);
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
