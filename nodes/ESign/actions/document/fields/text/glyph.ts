import type { PageText, TextRun } from '../../../../pdf';
import { fold } from './fold';

/** Stands for a glyph that cannot be read: Unicode has no character there. */
export const UNKNOWN = '\uFFFF';

/** What is painted of a text at once, a character or several. */
export interface Glyph {
	run: TextRun;
	text: string;
	/** In the form in which texts are compared (fold.ts). */
	folded: string;
	/** In which its baseline runs, in degrees. */
	angle: number;
	/** Where it begins and ends in the direction of its baseline, from the corner of the page. */
	begin: number;
	end: number;
	/** Where its baseline is across that direction: from the top, where text is level. */
	depth: number;
	/** Whether something that is not seen was painted before it. */
	isBehindSpace: boolean;
	/** Its place in the order of reading; below 0 if it is there a second time. */
	place: number;
}

/** The glyphs of a page that are seen, in the order of painting. */
export function glyphsOf({ runs }: PageText): Glyph[] {
	const glyphs: Glyph[] = [];
	let isBehindSpace = false;
	for (const run of runs) {
		const { x, y, dx, dy, texts, starts, ends } = run;
		const origin = x * dx + y * dy;
		const depth = y * dx - x * dy;
		const angle = Math.round((Math.atan2(dy, dx) * 180) / Math.PI);
		for (const [at, text = UNKNOWN] of texts.entries()) {
			const begin = origin + Number(starts[at]);
			const end = origin + Number(ends[at]);
			const last = glyphs.at(-1);
			const folded = fold(text);
			if (folded === '') {
				// Without a text, it belongs to the glyph before.
				if (text === '' && last?.run === run) last.end = end;
				else isBehindSpace = true;
				continue;
			}
			glyphs.push({ run, text, folded, angle, begin, end, depth, isBehindSpace, place: -1 });
			isBehindSpace = false;
		}
	}
	return glyphs;
}
