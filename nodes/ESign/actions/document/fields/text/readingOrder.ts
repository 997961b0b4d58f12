import type { Glyph } from './glyph';

const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/;
const LETTER = /\p{L}/u;

/** What keeps its own direction in a line that runs to the left; other signs there follow it. */
const WITHIN_WORD = /[\p{L}\p{M}\p{N}[\]]/u;

const MIRRORED = new Map([
	['[', ']'],
	[']', '['],
]);

/** Parts of the em: baselines of one line differ by the type of a word, or by a scanner. */
const SAME_LINE = 0.4;
const SAME_PLACE = 0.1;

/**
 * Lines from top to bottom, each in the direction in which its script is read. Bold type may be
 * made by painting a text twice: here it is there once.
 */
export function inReadingOrder(glyphs: readonly Glyph[]): Glyph[] {
	const fromTop = glyphs.toSorted(
		(one, other) => one.angle - other.angle || one.depth - other.depth,
	);
	const lines: Glyph[][] = [];
	for (const glyph of fromTop) {
		const line = lines.at(-1);
		if (line?.[0] && isOnLine(line[0], glyph)) line.push(glyph);
		else lines.push([glyph]);
	}
	return lines.flatMap((line) => {
		line.sort((one, other) => one.begin - other.begin);
		const seen = line.filter((glyph, at) => !isRepeated(glyph, line[at - 1]));
		return seen.some(isRightToLeft) ? fromTheRight(seen) : seen;
	});
}

function isOnLine(first: Glyph, glyph: Glyph): boolean {
	const size = Math.min(first.run.size, glyph.run.size);
	return glyph.angle === first.angle && glyph.depth - first.depth < SAME_LINE * size;
}

function isRepeated(glyph: Glyph, before: Glyph | undefined): boolean {
	const isSame = before?.text === glyph.text;
	return isSame && glyph.begin - before.begin < SAME_PLACE * glyph.run.size;
}

function isRightToLeft({ text }: Glyph): boolean {
	return RIGHT_TO_LEFT.test(text);
}

/**
 * A line as it is seen becomes one as it is read (Unicode Standard Annex 9, roughly):
 *
 * | as it is seen, with `CBA` for three Hebrew letters | as it is read             |
 * | -------------------------------------------------- | ------------------------- |
 * | `[[date 2]] :CBA`                                  | `ABC: [[date 2]]`         |
 * | `]]date 2[[ :CBA`, with brackets as they are typed | the same                  |
 * | `34 12 CBA`                                        | `ABC 12 34`               |
 * | `(1.5) FED Job title CBA`                          | `ABC Job title DEF )1.5(` |
 */
function fromTheRight(seen: readonly Glyph[]): Glyph[] {
	const parts = split(seen, (glyph, before) => isRightToLeft(glyph) || isRightToLeft(before));
	return parts.toReversed().flatMap((part) => {
		// Words run on over the spaces between them, but each number stands for itself.
		const isOfWords = part.some(({ text }) => LETTER.test(text));
		const pieces = isOfWords ? [part] : split(part, ({ isBehindSpace }) => isBehindSpace);
		return pieces.toReversed().flatMap(inOwnDirection);
	});
}

function split(glyphs: readonly Glyph[], isApart: (glyph: Glyph, before: Glyph) => boolean) {
	const parts: Glyph[][] = [];
	for (const glyph of glyphs) {
		const last = parts.at(-1);
		const before = last?.at(-1);
		if (before && !isApart(glyph, before)) last?.push(glyph);
		else parts.push([glyph]);
	}
	return parts;
}

/** Signs at its ends belong to the line, not to the words between them. */
function inOwnDirection(part: Glyph[]): Glyph[] {
	const from = part.findIndex(({ text }) => WITHIN_WORD.test(text));
	const to = part.findLastIndex(({ text }) => WITHIN_WORD.test(text)) + 1;
	const words = part.slice(Math.max(0, from), to);
	if (words[0]?.text === ']') {
		for (const glyph of words) {
			glyph.text = MIRRORED.get(glyph.text) ?? glyph.text;
			glyph.folded = MIRRORED.get(glyph.folded) ?? glyph.folded;
		}
	}
	return [...part.slice(to).reverse(), ...words, ...part.slice(0, Math.max(0, from)).reverse()];
}
