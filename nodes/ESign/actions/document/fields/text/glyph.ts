import { around, type Box } from '../boxes/box';
import { fold } from './fold';
import type { PageText, TextRun } from '../../../../pdf';

/** Stands for a glyph that cannot be read: Unicode has no character there. */
export const UNKNOWN = '\uFFFF';

interface Point {
	x: number;
	y: number;
}

/** What is painted of a text at once, a character or several. */
export interface Glyph {
	run: TextRun;
	text: string;
	/** In the form in which texts are compared (fold.ts). */
	folded: string;
	/** On the baseline. */
	begin: Point;
	end: Point;
}

/** The glyphs of a page in the order of painting. */
export function glyphsOf({ runs }: PageText): Glyph[] {
	const glyphs: Glyph[] = [];
	for (const run of runs) {
		for (const [at, text = UNKNOWN] of run.texts.entries()) {
			const begin = pointOf(run, run.starts[at]);
			const end = pointOf(run, run.ends[at]);
			const last = glyphs.at(-1);
			if (text === '' && last?.run === run) last.end = end;
			else glyphs.push({ run, text, folded: fold(text), begin, end });
		}
	}
	return glyphs;
}

function pointOf({ x, y, dx, dy }: TextRun, along = 0): Point {
	return { x: x + dx * along, y: y + dy * along };
}

/** One em high, a quarter of it below the baseline. */
export function boxOf({ run: { ux, uy }, begin, end }: Glyph): Box {
	const corners = [begin, end].flatMap(({ x, y }) => [
		{ x: x - 0.25 * ux, y: y - 0.25 * uy },
		{ x: x + 0.75 * ux, y: y + 0.75 * uy },
	]);
	return around(...corners.map(({ x, y }) => ({ left: x, top: y, right: x, bottom: y })));
}

export function widthOf({ begin, end }: Glyph): number {
	return Math.hypot(end.x - begin.x, end.y - begin.y);
}

/** How far it is from one point to another, along the baseline of a run and across it. */
export function distance({ dx, dy }: TextRun, from: Point, to: Point) {
	const [x, y] = [to.x - from.x, to.y - from.y];
	return { along: x * dx + y * dy, across: x * dy - y * dx };
}
