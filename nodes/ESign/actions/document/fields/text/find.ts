import { sleep } from 'n8n-workflow';
import { flowsOf, type Flow } from './flow';
import { fold } from './fold';
import { inOrder, matchIn, withoutRepetitions, type Match } from './match';
import type { PageText } from '../../../../pdf';

/** More than a document may have fields. */
export const MAX_MATCHES = 500;

/** What belongs to a word, in scripts that have something between words. */
const WITHIN_WORD =
	/(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}])[\p{L}\p{M}\p{N}]/u;

/** The flows of one page after the other; anything else may run between two pages. */
export async function* flowsByPage(pages: readonly PageText[]) {
	for (const [index, page] of pages.entries()) {
		await sleep(0);
		yield flowsOf(page, index + 1);
	}
}

/**
 * Where each of the texts stands as whole words, in the order of reading: by page, from top to
 * bottom, from left to right. At most 500 of each.
 */
export async function findTexts(
	pages: readonly PageText[],
	texts: readonly string[],
): Promise<Match[][]> {
	const all = texts.map((text) => ({ wanted: fold(text), found: [] as Match[] }));
	for await (const flows of flowsByPage(pages)) {
		for (const { wanted, found } of all) {
			if (wanted === '' || found.length >= MAX_MATCHES) continue;
			const here = flows.flatMap((flow) => [...wholeWords(flow, wanted)]);
			found.push(...inOrder(withoutRepetitions(here)));
		}
	}
	return all.map(({ found }) => found.slice(0, MAX_MATCHES));
}

function* wholeWords(flow: Flow, wanted: string): Generator<Match> {
	for (let from = -1, count = 0; count < MAX_MATCHES;) {
		from = flow.folded.indexOf(wanted, from + 1);
		if (from < 0) return;
		const to = from + wanted.length;
		if (isWithinWord(flow, from) || isWithinWord(flow, to)) continue;
		const match = matchIn(flow, from, to);
		count++;
		if (match) yield match;
	}
}

/** Whether the characters before and at a place belong to one word. */
export function isWithinWord({ folded, gaps }: Flow, at: number): boolean {
	const [before, next] = [folded[at - 1] ?? '', folded[at] ?? ''];
	return gaps[at] === '' && WITHIN_WORD.test(before) && WITHIN_WORD.test(next);
}
