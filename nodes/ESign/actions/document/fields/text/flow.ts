import type { PageText, TextRun } from '../../../../pdf';
import { inReadingOrder } from './readingOrder';
import { distance, glyphsOf, widthOf, type Glyph } from './glyph';

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

/** More than a full page of the smallest print. */
const MOST_GLYPHS = 40_000;

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
	const glyphs = glyphsOf(page);
	const painted = flowOf(glyphs);
	const read = flowOf(inReadingOrder(glyphs));
	const flows = painted.folded === read.folded ? [painted] : [painted, read];
	return flows.map((flow) => ({ page, pageNumber, ...flow }));
}

function flowOf(order: readonly Glyph[]) {
	const characters: string[] = [];
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
		for (const character of glyph.folded.split('')) {
			characters.push(character);
			glyphs.push(glyph);
			gaps.push(gap);
			gap = '';
		}
	}
	return { folded: characters.join(''), glyphs, gaps };
}

function wider(one: Gap, other: Gap): Gap {
	return one === '\n' || other === '' ? one : other;
}

function gapBetween(before: Glyph, next: Glyph): Gap {
	const { along, across } = distance(before.run, before.end, next.begin);
	const size = Math.max(before.run.size, next.run.size);
	const isTurned = before.run.dx * next.run.dx + before.run.dy * next.run.dy < 0.99;
	if (isTurned || Math.abs(across) > NEXT_LINE * size) return '\n';
	// Text that runs to the left goes back by the width of both.
	const isBehind = along > SPACE * size;
	const isBefore = along < -(widthOf(before) + widthOf(next) + SPACE * size);
	return isBehind || isBefore ? ' ' : '';
}

/** Bold type may be made by painting a text twice. */
function isRepeated(before: Glyph, next: Glyph): boolean {
	const { along, across } = distance(before.run, before.begin, next.begin);
	return before.text === next.text && Math.hypot(along, across) < 0.1 * next.run.size;
}
