import type { Glyph } from './glyph';

const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/;

/** What has its own direction in a line that runs to the left. */
const LEFT_TO_RIGHT = /(?![\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF])[\p{L}\p{N}]/u;

/** Signs that belong to a number or an address if letters or digits surround them. */
const WITHIN_WORDS = /^[.,:/@+-]$/;

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
 * A line as it is seen becomes one as it is read: from the right, with the words and numbers of
 * other scripts as they are.
 */
function fromTheRight(seen: readonly Glyph[]): Glyph[] {
	const read: Glyph[] = [];
	let word: Glyph[] = [];
	for (const glyph of seen.toReversed()) {
		const isWithin = word.length > 0 && WITHIN_WORDS.test(glyph.text);
		const isOfWord = isWithin || LEFT_TO_RIGHT.test(glyph.text);
		if (isOfWord) word.unshift(glyph);
		if (isOfWord && !glyph.isBehindSpace) continue;
		read.push(...word);
		if (!isOfWord) read.push(glyph);
		word = [];
	}
	return [...read, ...word];
}
