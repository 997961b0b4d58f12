import type { PageText } from '../../../../pdf';
import { glyphsOf, type Glyph } from './glyph';
import { inReadingOrder } from './readingOrder';

/** The text of a page in one order. */
export interface Flow {
	page: PageText;
	/** From 1. */
	pageNumber: number;
	/** In the form in which texts are compared (fold.ts). */
	folded: string;
	/** What is behind each character of it. */
	signs: Sign[];
}

/** A character where it is on the page. */
export interface Sign {
	glyph: Glyph;
	/** As it is written, behind a space or the end of a line; nothing within a ligature. */
	written: string;
	/** The place of its glyph in the order of reading. */
	place: number;
}

/** Parts of the em. More than a kern is a space; a line more above or below is another line. */
const SPACE = 0.12;
const NEXT_LINE = 0.6;

/** Two full pages of small print. */
const MOST_GLYPHS = 15_000;

/** Whether all of the text of a page can be searched. */
export function isSearchable(page: PageText): boolean {
	return !page.isIncomplete && !isTooFull(page);
}

function isTooFull({ runs }: PageText): boolean {
	return runs.reduce((sum, { texts }) => sum + texts.length, 0) > MOST_GLYPHS;
}

/**
 * The text of a page as it is painted and as it is read. Word paints a table cell by cell, so a tag
 * that is broken in a narrow cell is one in the first order only; other programs paint in an order
 * of their own.
 */
export function flowsOf(page: PageText, pageNumber: number): Flow[] {
	if (isTooFull(page)) return [];
	const glyphs = glyphsOf(page);
	const read = inReadingOrder(glyphs);
	const places = new Map(read.map((glyph, place) => [glyph, place]));
	const painted = glyphs.filter((glyph) => places.has(glyph));
	return [painted, read].map((order) => {
		const folded = order.map((glyph) => glyph.folded).join('');
		return { page, pageNumber, folded, signs: signsOf(order, places) };
	});
}

function signsOf(order: readonly Glyph[], places: ReadonlyMap<Glyph, number>): Sign[] {
	const signs: Sign[] = [];
	let gap = '';
	let before: Glyph | undefined;
	for (const glyph of order) {
		if (before) gap += gapBetween(before, glyph);
		before = glyph;
		const place = Number(places.get(glyph));
		for (let unit = 0; unit < glyph.folded.length; unit++) {
			const space = gap.includes('\n') ? '\n' : gap.slice(0, 1);
			signs.push({ glyph, place, written: unit === 0 ? space + glyph.text : '' });
			gap = '';
		}
		if (glyph.folded === '') gap += ' ';
	}
	return signs;
}

/** Where a line ends, or a word. */
function gapBetween(before: Glyph, next: Glyph): '\n' | ' ' | '' {
	const size = Math.max(before.run.size, next.run.size);
	const isTurned = before.angle !== next.angle;
	if (isTurned || Math.abs(next.depth - before.depth) > NEXT_LINE * size) return '\n';
	// Text that runs to the left is read back from the end of one to the beginning of the other.
	const space = Math.max(next.begin - before.end, before.begin - next.end);
	return space > SPACE * size ? ' ' : '';
}
