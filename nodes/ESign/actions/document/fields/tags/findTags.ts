import { LoopTurn, type PageText } from '../../../../pdf';
import type { NamedRecipient } from '../recipients';
import { flowsByPage, MAX_MATCHES } from '../text/find';
import type { Flow } from '../text/flow';
import { inOrder, matchIn, type Match } from '../text/match';
import { readTag, type Reading } from './readTag';

/** What stands in double brackets, and where. */
export type Bracketed = Match & { reading: Reading };

/** The longest that a tag with its options may be. */
const BRACKETS = /\[\[[^[\]]{1,3500}\]\]/g;

/** In either of its widths. */
const BRACKET = /[[［]/;

/** In the order of reading, at least 500 if there are as many. */
export async function findTags(
	pages: readonly PageText[],
	recipients: readonly NamedRecipient[],
): Promise<Bracketed[]> {
	const all: Bracketed[] = [];
	const turn = new LoopTurn();
	for await (const flows of flowsByPage(pages, hasBracket)) {
		const here: Bracketed[] = [];
		for (const flow of flows) here.push(...(await bracketed(flow, recipients, turn)));
		// In one of the orders, a tag of a narrow cell may have text of the next cell in it.
		here.sort((one, other) => Number(isTag(other)) - Number(isTag(one)));
		all.push(...inOrder(here));
		if (all.length > MAX_MATCHES) break;
	}
	return all;
}

async function bracketed(
	flow: Flow,
	recipients: readonly NamedRecipient[],
	turn: LoopTurn,
): Promise<Bracketed[]> {
	const all: Bracketed[] = [];
	for (const { 0: brackets, index } of flow.folded.matchAll(BRACKETS)) {
		if (all.length > MAX_MATCHES) break;
		await turn.pause();
		const match = matchIn(flow, index, index + brackets.length);
		const text = match.text.normalize('NFKC').replace(/^\[\s*\[|\]\s*\]$/g, '');
		const reading = readTag(text, recipients);
		if (reading) all.push({ ...match, reading });
	}
	return all;
}

/** Most pages have none: they need not be put in order. */
function hasBracket({ runs }: PageText): boolean {
	return runs.some(({ texts }) => texts.some((text = '') => BRACKET.test(text)));
}

function isTag({ reading }: Bracketed): boolean {
	return reading.kind === 'tag';
}
