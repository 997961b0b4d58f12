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
}

/** The glyphs of a page in the order of painting. */
export function glyphsOf({ runs }: PageText): Glyph[] {
	const glyphs: Glyph[] = [];
	for (const run of runs) {
		const { x, y, dx, dy, texts, starts, ends } = run;
		const origin = x * dx + y * dy;
		const depth = y * dx - x * dy;
		const angle = Math.round((Math.atan2(dy, dx) * 180) / Math.PI);
		for (const [at, text = UNKNOWN] of texts.entries()) {
			const begin = origin + Number(starts[at]);
			const end = origin + Number(ends[at]);
			const last = glyphs.at(-1);
			// It belongs to the glyph before.
			if (text === '' && last?.run === run) last.end = end;
			else glyphs.push({ run, text, folded: fold(text), angle, begin, end, depth });
		}
	}
	return glyphs;
}
