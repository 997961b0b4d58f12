import type { NamedRecipient } from '../recipients';
import { flowsByPage, MAX_MATCHES } from '../text/find';
import type { Flow } from '../text/flow';
import { inOrder, matchIn, withoutRepetitions, type Match } from '../text/match';
import type { PageText } from '../../../../pdf';
import { readTag, type Reading } from './readTag';

/** What stands in double brackets, and where. */
export type Bracketed = Match & { reading: Reading };

/** The longest that a tag with its options may be. */
const BRACKETS = /\[\[[^[\]]{1,3500}\]\]/g;

/** In the order of reading, at least 500 if there are as many. */
export async function findTags(
	pages: readonly PageText[],
	recipients: readonly NamedRecipient[],
): Promise<Bracketed[]> {
	const all: Bracketed[] = [];
	for await (const flows of flowsByPage(pages)) {
		const here = flows.flatMap((flow) => [...bracketed(flow, recipients)]);
		// In one of the orders, a tag of a narrow cell may have text of the next cell in it.
		const isBetter = (one: Bracketed, kept: Bracketed) =>
			one.reading.kind === 'tag' && kept.reading.kind !== 'tag';
		all.push(...inOrder(withoutRepetitions(here, isBetter)));
		if (all.length > MAX_MATCHES) break;
	}
	return all;
}

function* bracketed(flow: Flow, recipients: readonly NamedRecipient[]): Generator<Bracketed> {
	let count = 0;
	for (const { 0: found, index } of flow.folded.matchAll(BRACKETS)) {
		const match = matchIn(flow, index, index + found.length);
		count++;
		if (!match || count > MAX_MATCHES + 1) return;
		const text = match.text.normalize('NFKC').replace(/^\[\s*\[|\]\s*\]$/g, '');
		yield { ...match, reading: readTag(text, recipients) };
	}
}
