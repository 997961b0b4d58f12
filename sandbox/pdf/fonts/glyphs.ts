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
	has(codePoint: number): boolean;
	/** A single character that needs no shaping. */
	simple(character: string): Cluster;
	/** Announces texts that `shape` will be asked for, so that they can be shaped together. */
	prepare?(texts: readonly string[], rightToLeft: boolean): void;
	/** Text of one script and direction, in the order in which it is read. */
	shape(text: string, rightToLeft: boolean): Cluster[];
}
