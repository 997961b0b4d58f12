import type { Glyph } from './glyph';

const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/;
const LETTER = /\p{L}/u;

/** What keeps its own direction in a line that runs to the left, with the signs in between. */
const WITHIN_WORDS = /[\p{L}\p{M}\p{N}[\]]/u;

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
		return seen.some(({ text }) => RIGHT_TO_LEFT.test(text)) ? fromTheRight(seen) : seen;
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
	const read: Glyph[] = [];
	// From the right, as they come.
	let words: Glyph[] = [];
	let haveLetter = false;
	// What is left of them belongs to the line, unless more words follow.
	let signs: Glyph[] = [];
	const endWords = () => {
		read.push(...withSeenBrackets(words.reverse()), ...signs);
		words = [];
		haveLetter = false;
		signs = [];
	};
	for (const glyph of seen.toReversed()) {
		const isOfLine = RIGHT_TO_LEFT.test(glyph.text);
		const isLetter = LETTER.test(glyph.text);
		const isNext = signs.length === 0 && words.at(-1)?.isBehindSpace === true;
		const isOtherNumber = isNext && !isLetter && !haveLetter;
		if (isOfLine || isOtherNumber) endWords();
		if (WITHIN_WORDS.test(glyph.text) && !isOfLine) {
			words.push(...signs.splice(0), glyph);
			haveLetter ||= isLetter;
		} else if (words.length > 0) signs.push(glyph);
		else read.push(glyph);
	}
	endWords();
	return read;
}

function withSeenBrackets(words: Glyph[]): Glyph[] {
	if (words[0]?.text !== ']') return words;
	for (const glyph of words) {
		glyph.text = MIRRORED.get(glyph.text) ?? glyph.text;
		glyph.folded = MIRRORED.get(glyph.folded) ?? glyph.folded;
	}
	return words;
}
