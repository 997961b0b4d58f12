import { around, type Box } from '../boxes/box';
import type { Flow } from './flow';
import { boxOf } from './glyph';
import type { PageText } from '../../../../pdf';

/** A text where it stands in the document. */
export interface Match {
	page: PageText;
	pageNumber: number;
	/** As it is written, with a space or the end of a line where there is one. */
	text: string;
	/** Its longest piece, if it is broken over lines. */
	box: Box;
	/** Where it begins. */
	start: Box;
	/** The height of the em. */
	size: number;
	/** Whether it is read from left to right, neither turned nor aslant. */
	isLevel: boolean;
}

/** The text from one character of a flow to another. */
export function matchIn(flow: Flow, from: number, to: number): Match | undefined {
	const { page, pageNumber } = flow;
	const first = flow.glyphs[from];
	if (!first) return undefined;
	const pieces: Box[] = [];
	let text = '';
	for (let at = from; at < to; at++) {
		const glyph = flow.glyphs[at];
		// A ligature is one glyph for several characters.
		if (!glyph || (at > from && glyph === flow.glyphs[at - 1])) continue;
		const gap = at > from ? flow.gaps[at] : '';
		const piece = pieces.at(-1);
		if (piece && gap !== '\n') pieces.splice(-1, 1, around(piece, boxOf(glyph)));
		else pieces.push(boxOf(glyph));
		text += `${gap}${glyph.text}`;
	}
	const box = pieces.reduce((one, other) => (lengthOf(other) > lengthOf(one) ? other : one));
	const { size, dx } = first.run;
	return { page, pageNumber, text, box, start: boxOf(first), size, isLevel: dx > 0.999 };
}

function lengthOf({ left, top, right, bottom }: Box): number {
	return Math.hypot(right - left, bottom - top);
}

/** Whether two texts begin in the same place: bold type may be made by painting a text twice. */
function isSame(one: Match, other: Match): boolean {
	const right = one.start.left - other.start.left;
	const down = one.start.bottom - other.start.bottom;
	return Math.hypot(right, down) < 0.3 * one.size;
}

/** Without those that are there twice, as both orders of a page have them: the first counts. */
export function withoutRepetitions<Found extends Match>(matches: readonly Found[]): Found[] {
	const kept: Found[] = [];
	for (const match of matches) {
		if (!kept.some((one) => isSame(one, match))) kept.push(match);
	}
	return kept;
}

/** From top to bottom, and what begins on one line from left to right. */
export function inOrder<Found extends Match>(matches: readonly Found[]): Found[] {
	const lines: Found[][] = [];
	const fromTop = matches.toSorted((one, other) => one.start.bottom - other.start.bottom);
	for (const match of fromTop) {
		const line = lines.at(-1);
		const [first] = line ?? [];
		if (first && match.start.bottom - first.start.bottom < 0.5 * match.size) line?.push(match);
		else lines.push([match]);
	}
	return lines.flatMap((line) => line.sort((one, other) => one.start.left - other.start.left));
}
