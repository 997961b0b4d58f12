import type { PDFRef } from 'pdf-lib';

/** The smallest piece of text that is drawn as one: a letter with its marks, a conjunct, a ligature. */
export interface Cluster {
	text: string;
	/** Ems, so that it counts for every size. */
	width: number;
	/** The font of the page and the code in it, in hexadecimal; nothing for a sign without a picture. */
	glyph?: { font: PDFRef; code: string };
	/** It has a picture, but not in this document. */
	missing?: boolean;
}

/** Drawn for a sign that is missing: the reader sees that something stands there. */
export const REPLACEMENT = '\u25a1';

/** How many different signs one document still embeds, or looks for in vain; each costs time, also when it is read. */
export interface SignBudget {
	left: number;
}

/** A font of one document. */
export interface DocumentFont {
	/** The script of its texts, if it is one: they can be shaped together. */
	readonly script?: string;
	has(codePoint: number): boolean;
	/** A single character that needs no shaping. */
	simple(character: string): Cluster;
	/** Text of one script and direction, in the order in which it is read. */
	shape(text: string, rightToLeft: boolean): Cluster[];
	/** The same for many texts at once, if the font can shape them together. */
	shapeAll?(texts: readonly string[], rightToLeft: boolean): Cluster[][] | undefined;
}
