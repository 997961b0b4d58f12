import type { PageText, TextRun } from '../../../../pdf';
import { inReadingOrder } from './readingOrder';
import { glyphsOf, type Glyph } from './glyph';

/** What is between a glyph and the one before it: a line ends, or words do. */
type Gap = '' | ' ' | '\n';

/** The text of a page in one order. */
export interface Flow {
	page: PageText;
	/** From 1. */
	pageNumber: number;
	/** In the form in which texts are compared (fold.ts). */
	folded: string;
	/** For each character of it the glyph that it comes from, and what is before that glyph. */
	glyphs: Glyph[];
	gaps: Gap[];
}

/** Parts of the em. More than a kern is a space; a line more above or below is another line. */
const SPACE = 0.12;
const NEXT_LINE = 0.6;

/** Two full pages of small print. */
const MOST_GLYPHS = 15_000;

/** Whether all of the text of a page can be searched. */
export function isSearchable({ isIncomplete, runs }: PageText): boolean {
	return !isIncomplete && countGlyphs(runs) <= MOST_GLYPHS;
}

function countGlyphs(runs: readonly TextRun[]): number {
	return runs.reduce((sum, { texts }) => sum + texts.length, 0);
}

/**
 * The text of a page as it is painted and as it is read. Word paints a table cell by cell, so a tag
 * that is broken in a narrow cell is one in the first order only; other programs paint in an order
 * of their own.
 */
export function flowsOf(page: PageText, pageNumber: number): Flow[] {
	if (countGlyphs(page.runs) > MOST_GLYPHS) return [];
	const painted = glyphsOf(page);
	const read = inReadingOrder(painted);
	const isSame = read.every((glyph, index) => glyph === painted[index]);
	const orders = isSame ? [painted] : [painted, read];
	return orders.map((order) => ({ page, pageNumber, ...flowOf(order) }));
}

function flowOf(order: readonly Glyph[]) {
	const folded: string[] = [];
	const glyphs: Glyph[] = [];
	const gaps: Gap[] = [];
	let before: Glyph | undefined;
	let gap: Gap = '\n';
	for (const glyph of order) {
		if (before !== undefined) {
			if (isRepeated(before, glyph)) continue;
			gap = wider(gap, gapBetween(before, glyph));
		}
		before = glyph;
		if (glyph.folded === '') gap = wider(gap, ' ');
		folded.push(glyph.folded);
		for (let unit = 0; unit < glyph.folded.length; unit++) {
			glyphs.push(glyph);
			gaps.push(gap);
			gap = '';
		}
	}
	return { folded: folded.join(''), glyphs, gaps };
}

function wider(one: Gap, other: Gap): Gap {
	return one === '\n' || other === '' ? one : other;
}

function gapBetween(before: Glyph, next: Glyph): Gap {
	const size = Math.max(before.run.size, next.run.size);
	const isTurned = before.run.dx * next.run.dx + before.run.dy * next.run.dy < 0.9999;
	if (isTurned || Math.abs(next.depth - before.depth) > NEXT_LINE * size) return '\n';
	// Text that runs to the left is read back from the end of one to the beginning of the other.
	const isBehind = next.begin - before.end > SPACE * size;
	const isBefore = before.begin - next.end > SPACE * size;
	return isBehind || isBefore ? ' ' : '';
}

/** Bold type may be made by painting a text twice. */
function isRepeated(before: Glyph, next: Glyph): boolean {
	if (before.text !== next.text) return false;
	const shift = Math.abs(next.begin - before.begin) + Math.abs(next.depth - before.depth);
	return shift < 0.1 * next.run.size;
}
