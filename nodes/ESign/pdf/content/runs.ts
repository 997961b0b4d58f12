import { ensure } from '../objects/values';

/**
 * Glyphs that follow each other on one baseline. Lengths are in points of the page as it is seen.
 */
export interface TextRun {
	/**
	 * One for each glyph. Undefined where it is not known for certain; empty if it belongs to the
	 * glyph before.
	 */
	texts: Array<string | undefined>;
	/** Where each glyph begins and ends along the baseline, from the origin. */
	starts: number[];
	ends: number[];
	/** The origin, from the top left corner of the page. */
	x: number;
	y: number;
	/** Unit vector along the baseline. */
	dx: number;
	dy: number;
	/** From the baseline to the top of the em. */
	ux: number;
	uy: number;
	/** Height of the em. */
	size: number;
}

/** Where a text begins, and which way it goes: a run without its glyphs. */
export type Baseline = Omit<TextRun, 'texts' | 'starts' | 'ends'>;

/** In ems: what is as far from the glyph before still follows it, or lies over it. */
const FARTHEST = 2;
const DEEPEST = 0.5;
const SAME_LINE = 0.005;

/** So many unknown glyphs in a row may be a tag; fewer are bullets and the like. */
const UNKNOWN_TEXT = 4;

/** Two full pages of small print: to search a page with more text would hold others up. */
const MOST_CHARACTERS = 15_000;

/** In points: what is less outside of the page still counts. */
const TOLERANCE = 1;

/** Collects the glyphs of a page, merged to runs as they come. */
export class Runs {
	readonly runs: TextRun[] = [];
	/** Whether some text could not be read: what is not found may be there all the same. */
	isIncomplete = false;
	private unknown = 0;
	private room = MOST_CHARACTERS;
	/** The one that glyphs are added to. */
	private run: TextRun | undefined;

	/** @param width of the page, in points, as it is seen: what is cropped away is not there */
	constructor(
		readonly width: number,
		readonly height: number,
	) {}

	/**
	 * A text begins there. It belongs to the last run if it follows it on its baseline. Returns how
	 * far from the origin of its run it begins.
	 */
	begin(baseline: Baseline): number {
		const offset = this.run && offsetOn(this.run, baseline);
		if (offset !== undefined) return offset;
		this.run = { texts: [], starts: [], ends: [], ...baseline };
		return 0;
	}

	/**
	 * Adds a glyph at the end of the run, unless it lies outside of the page.
	 *
	 * @throws Unreadable if the page has too much text: then it has none
	 */
	add(text: string | undefined, start: number, end: number): void {
		const { run } = this;
		if (!run) return;
		const middle = (start + end) / 2;
		const x = run.x + run.dx * middle + run.ux * 0.3;
		const y = run.y + run.dy * middle + run.uy * 0.3;
		const isInside =
			x > -TOLERANCE && y > -TOLERANCE && x < this.width + TOLERANCE && y < this.height + TOLERANCE;
		if (!isInside) return;
		// A glyph may stand for any text (ISO 32000-1, 14.9.4).
		this.room -= Math.max(1, text?.length ?? 1);
		if (this.room < 0) this.runs.length = 0;
		ensure(this.room >= 0, 'A page has too much text');
		const glyph = run.texts.length;
		if (glyph === 0) this.runs.push(run);
		// Not by `push`: see `Scanner.next`.
		run.texts[glyph] = text;
		run.starts[glyph] = start;
		run.ends[glyph] = end;
		this.unknown = text === undefined ? this.unknown + 1 : 0;
		if (this.unknown >= UNKNOWN_TEXT) this.isIncomplete = true;
	}
}

/** How far from the origin of a run a text begins; undefined if it does not follow the run. */
function offsetOn(run: TextRun, text: Baseline): number | undefined {
	const { dx, dy, size } = run;
	const x = text.x - run.x;
	const y = text.y - run.y;
	const offset = x * dx + y * dy;
	const gap = (offset - (run.ends.at(-1) ?? NaN)) / size;
	const isOnLine = Math.abs(x * dy - y * dx) < SAME_LINE * size;
	const isAsHigh = Math.abs(text.size - size) < SAME_LINE * size;
	const isAlike = dx === text.dx && dy === text.dy && isAsHigh;
	return isAlike && isOnLine && gap > -DEEPEST && gap < FARTHEST ? offset : undefined;
}
