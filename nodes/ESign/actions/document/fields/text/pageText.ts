/** Glyphs that follow each other on one baseline. */
export interface TextRun {
	/** One for each glyph: undefined if it is not known for certain, empty if it belongs to the one before. */
	texts: Array<string | undefined>;
	/** Where glyphs begin and end along the baseline, in points from the origin of the run. */
	starts: number[];
	ends: number[];
	/** The origin, in points from the top left corner of the page as it is seen. */
	x: number;
	y: number;
	/** The unit vector along the baseline. */
	dx: number;
	dy: number;
	/** From the baseline to the top of the em. */
	ux: number;
	uy: number;
	/** The height of the em in points as it is seen. */
	size: number;
}

export interface PageText {
	width: number;
	height: number;
	runs: TextRun[];
	/** Some text of the page could not be read. */
	isIncomplete: boolean;
}
