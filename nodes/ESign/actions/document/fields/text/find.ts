import { LoopTurn, type PageText, type TextRun } from '../../../../pdf';
import { fold, mostAlike } from './compare';
import { flowsOf, gapBetween, type Flow, type Glyph } from './flow';

/** In points from the top left corner of the page as it is seen. */
export interface Box {
	left: number;
	top: number;
	right: number;
	bottom: number;
}

/** A text where it stands in the document. */
export interface Match {
	page: PageText;
	pageNumber: number;
	/** The place of its first glyph in the order of reading. */
	place: number;
	/** As it is written, with a space or the end of a line where there is one. */
	text: string;
	/** Its longest piece, if it is broken over lines. */
	box: Box;
	/** That it begins in. */
	run: TextRun;
}

/** More than a document may have fields. */
export const MAX_MATCHES = 500;

/** What belongs to a word, in scripts that have something between words. */
const WITHIN_WORD =
	/^(?![\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}])[\p{L}\p{M}\p{N}]/u;

/** A part of the em: what is higher or lower is no part of the word. */
const RAISED = 0.1;

/** In characters: what is compared with a text in one go. */
const PIECE = 4_000;

/** Of a text that is like another one, so many of its characters are others at most. */
const MOST_CHANGES = 0.4;

/**
 * Where each of the texts stands as whole words, in the order of reading: by page, from top to
 * bottom, from left to right. At most one more than 500 of each: then the last one is unknown.
 */
export async function findTexts(
	pages: readonly PageText[],
	texts: readonly string[],
): Promise<Match[][]> {
	// Several fields may be at the same text, which is looked for once.
	const all = new Map(texts.map((text): [string, Match[]] => [fold(text), []]));
	// A field at a position has none; and of nothing but soft hyphens, nothing is left to look for.
	all.delete('');
	const turn = new LoopTurn();
	for await (const flow of flowsOf(pages)) {
		for (const [wanted, found] of all) {
			// Each place may be found in both orders of its page.
			if (found.length <= 2 * MAX_MATCHES) found.push(...(await wholeWords(flow, wanted, turn)));
		}
	}
	for (const [wanted, found] of all) {
		await turn.pause();
		all.set(wanted, inOrder(found).slice(0, MAX_MATCHES + 1));
	}
	return texts.map((text) => all.get(fold(text)) ?? []);
}

/** @param wanted not empty */
async function wholeWords(flow: Flow, wanted: string, turn: LoopTurn): Promise<Match[]> {
	const matches: Match[] = [];
	let from = flow.folded.indexOf(wanted);
	while (from >= 0 && matches.length <= MAX_MATCHES) {
		await turn.pause();
		const to = from + wanted.length;
		const isWhole = !isWithinWord(flow, from) && !isWithinWord(flow, to);
		if (isWhole) matches.push(matchIn(flow, from, to));
		from = flow.folded.indexOf(wanted, from + 1);
	}
	return matches;
}

/** The text of the pages that is most like one that is not there. */
export async function nearestText(
	pages: readonly PageText[],
	text: string,
): Promise<Match | undefined> {
	const wanted = fold(text);
	let least = MOST_CHANGES * wanted.length;
	let nearest: Match | undefined;
	const turn = new LoopTurn();
	for await (const flow of flowsOf(pages)) {
		for (let start = 0; start < flow.folded.length; start += PIECE) {
			await turn.pause();
			// It may end in the next piece.
			const piece = flow.folded.slice(start, start + PIECE + 2 * wanted.length);
			const { end, changes } = mostAlike(wanted, piece);
			if (changes >= least) continue;
			least = changes;
			let to = start + end;
			let from = Math.max(0, to - wanted.length);
			while (isWithinWord(flow, from)) from--;
			while (isWithinWord(flow, to)) to++;
			nearest = matchIn(flow, from, to);
		}
	}
	return nearest;
}

/** Whether the characters before and at a place belong to one word: the mark of a note does not. */
function isWithinWord({ folded, glyphs }: Flow, at: number): boolean {
	const [before, next] = [glyphs[at - 1], glyphs[at]];
	if (!before || !next || gapBetween(before, next) !== '') return false;
	if (Math.abs(next.depth - before.depth) > RAISED * before.run.size) return false;
	return WITHIN_WORD.test(folded.slice(at - 1)) && WITHIN_WORD.test(folded.slice(at));
}

/** The text from one character of a flow to another, behind it. */
export function matchIn({ page, pageNumber, glyphs }: Flow, from: number, to: number): Match {
	const { place, run } = glyphs[from] as Glyph;
	const pieces: Glyph[][] = [];
	let text = '';
	let before: Glyph | undefined;
	for (const glyph of new Set(glyphs.slice(from, to))) {
		const gap = gapBetween(before, glyph);
		if (gap === '\n') pieces.push([]);
		pieces.at(-1)?.push(glyph);
		text += gap + glyph.text;
		before = glyph;
	}
	const box = pieces
		.map(boxAround)
		.reduce((one, other) => (lengthOf(other) > lengthOf(one) ? other : one));
	return { page, pageNumber, place, text: text.trim(), box, run };
}

/** A glyph is one em high, a quarter of it below the baseline. */
function boxAround(glyphs: readonly Glyph[]): Box {
	const xs: number[] = [];
	const ys: number[] = [];
	for (const { run, begin, end, depth } of glyphs) {
		for (const along of [begin, end]) {
			for (const up of [-0.25, 0.75]) {
				xs.push(along * run.dx - depth * run.dy + up * run.ux);
				ys.push(along * run.dy + depth * run.dx + up * run.uy);
			}
		}
	}
	const [left, top] = [Math.min(...xs), Math.min(...ys)];
	return { left, top, right: Math.max(...xs), bottom: Math.max(...ys) };
}

function lengthOf({ left, top, right, bottom }: Box): number {
	return Math.hypot(right - left, bottom - top);
}

/**
 * In the order of reading. Both orders of a page have most texts: of two that begin with one glyph,
 * the first counts.
 */
export function inOrder<Found extends Match>(matches: readonly Found[]): Found[] {
	const sorted = matches.toSorted((one, other) => one.place - other.place);
	return sorted.filter(({ place }, at) => place !== sorted[at - 1]?.place);
}
