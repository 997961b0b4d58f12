import type { Glyph } from './glyph';

const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/;
const LEFT_TO_RIGHT = /(?![\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF])[\p{L}\p{N}]/u;

/** Signs that belong to a number or an address if letters or digits surround them. */
const WITHIN_WORDS = /^[.,:/@+-]$/;

/** Lines from top to bottom, each in the direction in which its script is read. */
export function inReadingOrder(glyphs: readonly Glyph[]): Glyph[] {
	const fromTop = glyphs.toSorted(
		(one, other) => one.angle - other.angle || one.depth - other.depth,
	);
	const lines: Glyph[][] = [];
	for (const glyph of fromTop) {
		const line = lines.at(-1);
		if (line && isOnLine(line, glyph)) line.push(glyph);
		else lines.push([glyph]);
	}
	return lines.flatMap((line) => {
		const seen = line.sort((one, other) => one.begin - other.begin);
		return seen.some(({ text }) => RIGHT_TO_LEFT.test(text)) ? fromTheRight(seen) : seen;
	});
}

/** Baselines of one line differ a little: by the type of a word, or by a scanner. */
function isOnLine(line: readonly Glyph[], glyph: Glyph): boolean {
	const [first = glyph, last = glyph] = [line[0], line.at(-1)];
	if (glyph.angle !== first.angle) return false;
	const smaller = Math.min(last.run.size, glyph.run.size);
	const isNear = glyph.depth - last.depth < 0.25 * smaller;
	return isNear && glyph.depth - first.depth < 0.5 * first.run.size;
}

/**
 * A line as it is seen becomes one as it is read: from the right, with the words and numbers of
 * other scripts as they are.
 */
function fromTheRight(seen: readonly Glyph[]): Glyph[] {
	const read: Glyph[] = [];
	let word: Glyph[] = [];
	for (const glyph of seen.toReversed()) {
		const isWithin = word.length > 0 && WITHIN_WORDS.test(glyph.text);
		if (isWithin || LEFT_TO_RIGHT.test(glyph.text)) {
			word.unshift(glyph);
			continue;
		}
		read.push(...word, glyph);
		word = [];
	}
	return [...read, ...word];
}
