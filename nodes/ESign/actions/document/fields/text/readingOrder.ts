import type { Glyph } from './flow';

/** Letters of scripts that run to the left. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/;

/** What keeps its own direction in a line that runs to the left. */
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
 * | `(1.5) FED Job title CBA`                          | `ABC Job title DEF )1.5(` |
 */
function fromTheRight(seen: readonly Glyph[]): Glyph[] {
	const read = seen.toReversed();
	const kinds = read.map(kindOf).join('');
	for (const { 0: words, index } of kinds.matchAll(/w+(?: +w+)*/g)) {
		const asSeen = read.slice(index, index + words.length).reverse();
		if (asSeen[0]?.text === ']') asSeen.forEach(mirror);
		read.splice(index, words.length, ...asSeen);
	}
	return read;
}

/** A letter for what has a direction: `w` for words of another one than the line's. */
function kindOf({ text }: Glyph): string {
	if (RIGHT_TO_LEFT.test(text)) return 'r';
	return WITHIN_WORDS.test(text) ? 'w' : ' ';
}

function mirror(glyph: Glyph): void {
	glyph.text = MIRRORED.get(glyph.text) ?? glyph.text;
	glyph.folded = MIRRORED.get(glyph.folded) ?? glyph.folded;
}
