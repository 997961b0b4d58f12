import bidiFactory from 'bidi-js';

const bidi = bidiFactory();

/** Letters and marks that are read from right to left, or that make what follows them so. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\u2067\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** In which direction each character of one line of text is read, by the Unicode bidirectional algorithm (UAX 9). */
export interface Direction {
	/** The line as a whole begins on the right. */
	rightToLeft: boolean;
	/** Odd levels are read from right to left. */
	levelAt(offset: number): number;
	/** The spans (both ends included) that are turned around, one after the other, when this part of the text is a line. */
	turned(from: number, to: number): number[][];
}

/** False for a text that is read from left to right throughout. */
export function mayTurn(text: string): boolean {
	return RIGHT_TO_LEFT.test(text);
}

/** Undefined for a text that is read from left to right throughout. */
export function directionOf(text: string): Direction | undefined {
	if (!mayTurn(text)) return undefined;
	const embedding = bidi.getEmbeddingLevels(text);
	return {
		rightToLeft: (embedding.paragraphs[0]?.level ?? 0) % 2 === 1,
		levelAt: (offset) => embedding.levels[offset] ?? 0,
		turned: (from, to) => bidi.getReorderSegments(text, embedding, from, to - 1),
	};
}
