import { LoopTurn, type PageText } from '../../../../pdf';
import { flowsOf, gapBetween, isTooFull, type Flow } from './flow';
import { fold } from './fold';
import { inOrder, matchIn, type Match } from './match';
import { mostAlike } from './mostAlike';

/** More than a document may have fields. */
export const MAX_MATCHES = 500;

/** What belongs to a word, in scripts that have something between words. */
const WITHIN_WORD =
	/^(?![\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}])[\p{L}\p{M}\p{N}]/u;

/** A part of the em: what is higher or lower is no part of the word. */
const RAISED = 0.1;

/** Of a text that is like another one, so many of its characters are others at most. */
const MOST_CHANGES = 0.4;

/**
 * The flows of the pages one after the other; anything else may run between two of them.
 *
 * @param isWanted whether something may be found on a page: others need not be put in order
 */
export async function* flowsByPage(
	pages: readonly PageText[],
	isWanted: (page: PageText) => boolean = () => true,
): AsyncGenerator<Flow[]> {
	const turn = new LoopTurn();
	for (const [index, page] of pages.entries()) {
		await turn.pause();
		yield isTooFull(page) || !isWanted(page) ? [] : await flowsOf(page, index + 1, turn);
	}
}

/**
 * Where each of the texts stands as whole words, in the order of reading: by page, from top to
 * bottom, from left to right. At most one more than 500 of each: then the last one is unknown.
 */
export async function findTexts(
	pages: readonly PageText[],
	texts: readonly string[],
): Promise<Match[][]> {
	const all = new Map(texts.map((text): [string, Match[]] => [fold(text), []]));
	const turn = new LoopTurn();
	for await (const flows of flowsByPage(pages)) {
		for (const [wanted, found] of all) {
			const here: Match[] = [];
			for (const flow of flows) here.push(...(await wholeWords(flow, wanted, turn)));
			found.push(...inOrder(here).slice(0, MAX_MATCHES + 1 - found.length));
		}
	}
	return texts.map((text) => all.get(fold(text)) ?? []);
}

async function wholeWords(flow: Flow, wanted: string, turn: LoopTurn): Promise<Match[]> {
	const matches: Match[] = [];
	let from = wanted === '' ? -1 : flow.folded.indexOf(wanted);
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
	for await (const flows of flowsByPage(pages)) {
		for (const flow of flows) {
			await turn.pause();
			const { end, changes } = mostAlike(wanted, flow.folded);
			if (changes >= least) continue;
			least = changes;
			let from = Math.max(0, end - wanted.length);
			let to = end;
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
	const isRaised = Math.abs(next.depth - before.depth) > RAISED * before.run.size;
	if (isRaised) return false;
	return WITHIN_WORD.test(folded.slice(at - 1)) && WITHIN_WORD.test(folded.slice(at));
}
