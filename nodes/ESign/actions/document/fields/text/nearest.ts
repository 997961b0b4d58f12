import { fold } from './fold';
import { flowsByPage, isWithinWord } from './find';
import { matchIn, type Match } from './match';
import { mostAlike } from './mostAlike';
import type { PageText } from '../../../../pdf';

/** What is less alike is another text. */
const MOST_CHANGES = 0.4;

/** So that nobody waits long for a message. */
const LONGEST_WANTED = 100;

/** The text of the pages that is most like the one that is not there. */
export async function nearestText(
	pages: readonly PageText[],
	text: string,
): Promise<Match | undefined> {
	const wanted = fold(text).slice(0, LONGEST_WANTED);
	let least = MOST_CHANGES * wanted.length;
	let nearest: Match | undefined;
	for await (const flows of flowsByPage(pages)) {
		for (const flow of flows) {
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
