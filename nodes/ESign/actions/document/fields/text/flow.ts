import { LoopTurn, type PageText, type TextRun } from '../../../../pdf';
import { fold } from './compare';

/** What is painted of a text at once, a character or several. */
export interface Glyph {
	run: TextRun;
	text: string;
	/** In the form in which texts are compared (compare.ts). */
	folded: string;
	/** In which its baseline runs, in degrees. */
	angle: number;
	/** Where it begins and ends in the direction of its baseline, from the corner of the page. */
	begin: number;
	end: number;
	/** Where its baseline is across that direction: from the top, where text is level. */
	depth: number;
	/** Whether white space was painted before it, however narrow it is. */
	isBehindSpace: boolean;
	/** Its place in the order of reading, through all pages; below 0 if it is there a second time. */
	place: number;
}

/** The text of a page in one order. */
export interface Flow {
	page: PageText;
	/** From 1. */
	pageNumber: number;
	/** In the form in which texts are compared (compare.ts). */
	folded: string;
	/** What each character of it belongs to. */
	glyphs: Glyph[];
}

/** Stands for a glyph that cannot be read: Unicode has no character there. */
export const UNKNOWN = '\uFFFF';

/** Parts of the em. More than a kern is a space; a line more above or below is another line. */
const SPACE = 0.12;
const NEXT_LINE = 0.6;

/** In condensed text, one may be narrower than that. */
const SPACES = /^\s+$/;

/** Letters of scripts that run to the left. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/;

/** What keeps its own direction in a line that runs to the left. */
const WITHIN_WORDS = /[\p{L}\p{M}\p{N}[\]]/u;
const NUMBER = /\p{N}/u;

/** By the kinds of their glyphs: with the signs between. */
const WORDS = /[wnN]+(?: +[wnN]+)*/g;

const MIRRORED = new Map([
	['[', ']'],
	[']', '['],
]);

/** Parts of the em: baselines of one line differ by the type of a word, or by a scanner. */
const SAME_LINE = 0.4;
const SAME_PLACE = 0.1;

/**
 * The text of one page after the other, as it is painted and as it is read. Word paints a table
 * cell by cell, so a tag that is broken in a narrow cell is one in the first order only; other
 * programs paint in an order of their own. Anything else may run between two flows.
 */
export async function* flowsOf(pages: readonly PageText[]): AsyncGenerator<Flow> {
	const turn = new LoopTurn();
	let place = 0;
	for (const [index, page] of pages.entries()) {
		await turn.pause();
		const painted = glyphsOf(page);
		await turn.pause();
		const read = inReadingOrder(painted);
		await turn.pause();
		for (const glyph of read) {
			glyph.place = place;
			place++;
		}
		for (const order of [painted.filter((glyph) => glyph.place >= 0), read]) {
			await turn.pause();
			let folded = '';
			const glyphs: Glyph[] = [];
			for (const glyph of order) {
				folded += glyph.folded;
				while (glyphs.length < folded.length) glyphs.push(glyph);
			}
			await turn.pause();
			yield { page, pageNumber: index + 1, folded, glyphs };
		}
	}
}

/** The glyphs of a page that are seen, in the order of painting. */
function glyphsOf({ runs }: PageText): Glyph[] {
	const glyphs: Glyph[] = [];
	let isBehindSpace = false;
	for (const run of runs) {
		const { x, y, dx, dy, texts, starts, ends } = run;
		const origin = x * dx + y * dy;
		const depth = y * dx - x * dy;
		const angle = Math.round((Math.atan2(dy, dx) * 180) / Math.PI);
		for (const [at, text = UNKNOWN] of texts.entries()) {
			const begin = origin + Number(starts[at]);
			const end = origin + Number(ends[at]);
			const last = glyphs.at(-1);
			const folded = fold(text);
			if (folded !== '') {
				glyphs.push({ run, text, folded, angle, begin, end, depth, isBehindSpace, place: -1 });
				isBehindSpace = false;
			}
			// Without a text, it belongs to the glyph before.
			else if (text === '' && last?.run === run) last.end = end;
			else if (SPACES.test(text)) isBehindSpace = true;
		}
	}
	return glyphs;
}

/**
 * Lines from top to bottom, each in the direction in which its script is read. Bold type may be
 * made by painting a text twice: here it is there once.
 */
function inReadingOrder(glyphs: readonly Glyph[]): Glyph[] {
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
	const read = seen.toReversed();
	const kinds = read.map((glyph, at) => kindOf(glyph, read[at - 1])).join('');
	for (const { 0: words, index } of kinds.matchAll(WORDS)) {
		// Numbers alone are read from the right, one after the other.
		const parts = words.includes('w') ? [words] : words.split(/(?=N)/);
		let from = index;
		for (const { length } of parts) {
			const asSeen = read.slice(from, from + length).reverse();
			if (asSeen[0]?.text === ']') asSeen.forEach(mirror);
			read.splice(from, length, ...asSeen);
			from += length;
		}
	}
	return read;
}

/**
 * A letter for what has a direction: `w` for words of another one than the line's, `n` for their
 * numbers, and `N` where another number begins.
 */
function kindOf({ text }: Glyph, before: Glyph | undefined): string {
	if (RIGHT_TO_LEFT.test(text)) return 'r';
	if (!NUMBER.test(text)) return WITHIN_WORDS.test(text) ? 'w' : ' ';
	const isOther = before?.isBehindSpace && NUMBER.test(before.text);
	return isOther ? 'N' : 'n';
}

function mirror(glyph: Glyph): void {
	glyph.text = MIRRORED.get(glyph.text) ?? glyph.text;
	glyph.folded = MIRRORED.get(glyph.folded) ?? glyph.folded;
}

/**
 * What is between two glyphs: the end of a line, or of a word, or nothing. Before the first one is
 * the end of a line.
 */
export function gapBetween(before: Glyph | undefined, next: Glyph): '\n' | ' ' | '' {
	if (before?.angle !== next.angle) return '\n';
	const size = Math.max(before.run.size, next.run.size);
	if (Math.abs(next.depth - before.depth) > NEXT_LINE * size) return '\n';
	if (before === next) return '';
	// Text may run to the left; it is painted as it is seen.
	const [left, right] = next.begin < before.begin ? [next, before] : [before, next];
	return right.isBehindSpace || right.begin - left.end > SPACE * size ? ' ' : '';
}
