/** What a code of a font shows. */
export interface Glyph {
	/** Undefined where it cannot be said for certain. */
	text: string | undefined;
	/** Of its code, in bytes. */
	length: number;
	/** How far the text moves, in text space for a font of size 1 (ISO 32000-1, 9.2.4). */
	width: number;
	/** Whether word spacing applies (9.3.3). */
	isSpace: boolean;
}

export interface Font {
	/** @param bytes a string that the font shows, one character for each byte */
	glyphAt: (bytes: string, at: number) => Glyph;
	/** Height of the em in text space for a font of size 1. */
	em: number;
}

/** What the two kinds of fonts say in different ways. */
export interface Codes {
	/** How many bytes the code that begins at `at` has. */
	lengthAt: (bytes: string, at: number) => number;
	/** What a code shows where the font has no table for that, if it says. */
	textOf?: (code: number) => string | undefined;
	/** As in `Glyph`. */
	widthOf: (code: number) => number;
	/** As in `Font`. */
	em: number;
}

/** Control, private, unassigned: what no text is made of. */
const NO_TEXT = /[\p{Cc}\p{Co}\p{Cn}\p{Cs}\uFFFD]/u;

/** A ligature has some letters; more is a mistake. */
const LONGEST_TEXT = 20;

export function isText(text: string): boolean {
	return !NO_TEXT.test(text);
}

/** The text of a glyph, unless it cannot be one. */
export function certain(text = ''): string | undefined {
	if (/^[\t\n\r]$/.test(text)) return ' ';
	return text !== '' && text.length <= LONGEST_TEXT && isText(text) ? text : undefined;
}
