import type { PageText, TextRun } from '../../nodes/ESign/pdf';

/** A glyph where it is on a page. */
export interface Mark {
	text: string;
	x: number;
	y: number;
	/** Where it ends. */
	endX: number;
	endY: number;
	/** Of its baseline, in degrees; negative upwards. */
	angle: number;
	size: number;
}

const UNKNOWN = '\uFFFF';

/** Without what does not matter for finding a text: white space, ligatures, case. */
export const folded = (text: string): string =>
	text
		.normalize('NFKD')
		.toLowerCase()
		.replace(/[\s\u00AD\u200B-\u200F\u202A-\u202E\u2066-\u2069\0]/g, '');

const markOf = (run: TextRun, glyph: number): Mark => {
	const start = run.starts[glyph] ?? NaN;
	const end = run.ends[glyph] ?? NaN;
	return {
		text: run.texts[glyph] ?? UNKNOWN,
		x: run.x + run.dx * start,
		y: run.y + run.dy * start,
		endX: run.x + run.dx * end,
		endY: run.y + run.dy * end,
		angle: (Math.atan2(run.dy, run.dx) * 180) / Math.PI,
		size: run.size,
	};
};

/** The text of a page in the order in which it was written, and the glyph behind each character. */
export function flowOf(page: PageText): { text: string; marks: Mark[] } {
	const marks: Mark[] = [];
	let text = '';
	for (const run of page.runs) {
		for (const glyph of run.texts.keys()) {
			const mark = markOf(run, glyph);
			const shown = mark.text === UNKNOWN ? UNKNOWN : folded(mark.text);
			text += shown;
			for (let unit = 0; unit < shown.length; unit++) marks.push(mark);
		}
	}
	return { text, marks };
}

/** Where a text is: its first and its last glyph. Right-to-left text is stored as it is seen. */
export function findText(page: PageText, wanted: string): Array<{ first: Mark; last: Mark }> {
	const { text, marks } = flowOf(page);
	const needle = folded(wanted);
	const backwards = [...needle].reverse().join('');
	const found: Array<{ first: Mark; last: Mark }> = [];
	for (const one of new Set([needle, backwards])) {
		for (let at = text.indexOf(one); at >= 0; at = text.indexOf(one, at + 1)) {
			const [first, last] = [marks[at], marks[at + one.length - 1]];
			if (first && last) found.push({ first, last });
		}
	}
	return found;
}
