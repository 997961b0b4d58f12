import type { PageText } from '../../../../pdf';
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
	for await (const flows of flowsByPage(pages, hasBracket)) {
		const here = flows.flatMap((flow) => bracketed(flow, recipients));
		// In one of the orders, a tag of a narrow cell may have text of the next cell in it.
		here.sort((one, other) => Number(isTag(other)) - Number(isTag(one)));
		all.push(...inOrder(here));
		if (all.length > MAX_MATCHES) break;
	}
	return all;
}

function bracketed(flow: Flow, recipients: readonly NamedRecipient[]): Bracketed[] {
	const found = [...flow.folded.matchAll(BRACKETS)].slice(0, MAX_MATCHES + 1);
	return found.flatMap(({ 0: brackets, index }) => {
		const match = matchIn(flow, index, index + brackets.length);
		const text = match.text.normalize('NFKC').replace(/^\[\s*\[|\]\s*\]$/g, '');
		const reading = readTag(text, recipients);
		return reading ? [{ ...match, reading }] : [];
	});
}

/** Most pages have none: they need not be put in order. */
function hasBracket({ runs }: PageText): boolean {
	return runs.some(({ texts }) => texts.some((text = '') => BRACKET.test(text)));
}

function isTag({ reading }: Bracketed): boolean {
	return reading.kind === 'tag';
}
