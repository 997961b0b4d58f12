import type { PageText, LoopTurn } from '../../../../pdf';
import { glyphsOf, UNKNOWN, type Glyph } from './glyph';
import { inReadingOrder } from './readingOrder';

/** The text of a page in one order. */
export interface Flow {
	page: PageText;
	/** From 1. */
	pageNumber: number;
	/** In the form in which texts are compared (fold.ts). */
	folded: string;
	/** What each character of it belongs to. */
	glyphs: Glyph[];
}

/** Parts of the em. More than a kern is a space; a line more above or below is another line. */
const SPACE = 0.12;
const NEXT_LINE = 0.6;

/** Two full pages of small print. */
const MOST_CHARACTERS = 15_000;

/** Whether all of the text of a page can be searched. */
export function isSearchable(page: PageText): boolean {
	return !page.isIncomplete && !isTooFull(page);
}

/** A glyph may stand for any text (ISO 32000-1, 14.9.4). */
export function isTooFull({ runs }: PageText): boolean {
	let room = MOST_CHARACTERS;
	return runs.some(({ texts }) =>
		texts.some((text = UNKNOWN) => {
			room -= Math.max(1, text.length);
			return room < 0;
		}),
	);
}

/**
 * The text of a page as it is painted and as it is read. Word paints a table cell by cell, so a tag
 * that is broken in a narrow cell is one in the first order only; other programs paint in an order
 * of their own.
 */
export async function flowsOf(page: PageText, pageNumber: number, turn: LoopTurn): Promise<Flow[]> {
	const painted = glyphsOf(page);
	await turn.pause();
	const read = inReadingOrder(painted);
	await turn.pause();
	for (const [place, glyph] of read.entries()) glyph.place = place;
	const orders = [painted.filter(({ place }) => place >= 0), read];
	const isSame = orders[0]?.every(({ place }, at) => place === at);
	return orders.slice(isSame ? 1 : 0).map((order) => {
		const folded = order.map((glyph) => glyph.folded).join('');
		const glyphs = order.flatMap((glyph) => Array<Glyph>(glyph.folded.length).fill(glyph));
		return { page, pageNumber, folded, glyphs };
	});
}

/** What is between two glyphs: the end of a line, or of a word, or nothing. */
export function gapBetween(before: Glyph, next: Glyph): '\n' | ' ' | '' {
	const size = Math.max(before.run.size, next.run.size);
	const isTurned = before.angle !== next.angle;
	if (isTurned || Math.abs(next.depth - before.depth) > NEXT_LINE * size) return '\n';
	if (before === next) return '';
	// Text may run to the left; it is painted as it is seen.
	const [left, right] = next.begin < before.begin ? [next, before] : [before, next];
	return right.isBehindSpace || right.begin - left.end > SPACE * size ? ' ' : '';
}
