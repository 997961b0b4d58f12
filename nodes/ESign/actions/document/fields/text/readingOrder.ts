import type { Glyph } from './glyph';

const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/;

/** What a glyph is in a line that is read from the right; all else is a sign (S). */
const KINDS = [
	['R', RIGHT_TO_LEFT],
	['L', /\p{L}/u],
	['N', /[\p{M}\p{N}]/u],
	['B', /[[\]]/],
] as const;

const PART = /R|[^R]+/gi;

/** Words run on over the spaces between them, but each number stands for itself. */
const WORDS = /[LNB](?:.*[LNB])?|./gi;
const NUMBERS = /[NBnb](?:[NSB]*[NB])?|./g;

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

/** One character, in small where a space is before it. */
function kindOf({ text, isBehindSpace }: Glyph): string {
	const [kind = 'S'] = KINDS.find(([, signs]) => signs.test(text)) ?? [];
	return isBehindSpace ? kind.toLowerCase() : kind;
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
	const kinds = seen.map(kindOf).join('');
	const pieces = [...kinds.matchAll(PART)].flatMap(({ 0: part, index: from }) => {
		const found = part.matchAll(/L/i.test(part) ? WORDS : NUMBERS);
		return Array.from(found, ({ 0: piece, index }) =>
			seen.slice(from + index, from + index + piece.length),
		);
	});
	return pieces.toReversed().flatMap(withSeenBrackets);
}

function withSeenBrackets(piece: Glyph[]): Glyph[] {
	if (piece[0]?.text !== ']') return piece;
	for (const glyph of piece) {
		glyph.text = MIRRORED.get(glyph.text) ?? glyph.text;
		glyph.folded = MIRRORED.get(glyph.folded) ?? glyph.folded;
	}
	return piece;
}
