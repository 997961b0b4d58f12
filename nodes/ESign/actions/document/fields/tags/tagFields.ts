import { listed, runOf, type Words } from '../../../../client';
import { checkObject, type Item } from '../../../../operation/parameters';
import { LoopTurn, type PageText } from '../../../../pdf';
import { placesOf, unreadPlaces, type DocumentText } from '../documentText';
import { more } from '../fieldOptions';
import { signs, type Planning, type WantedField } from '../placeFields';
import type { NamedRecipient } from '../recipients';
import { fieldsMode } from '../request';
import { inOrder, matchIn, MAX_MATCHES, type Match } from '../text/find';
import { flowsOf, UNKNOWN } from '../text/flow';
import { readTag, type Reading } from './readTag';

/** What stands in double brackets, and where. */
type Bracketed = Match & { reading: Reading };

/** The longest that a tag with its options may be. */
const BRACKETS = /\[\[[^[\]]{1,3500}\]\]/g;

/** In either of its widths. */
const BRACKET = /[[［]/;

const PLACED: Words = (places) => `Placed ${listed(places)}`;

const NOT_LOOKED_FOR: Words = (places) =>
	`Tags were not looked for ${listed(places)}, because the text there cannot be read`;

const NO_TAGS: Words = (places) =>
	`Text in double brackets is no tag without a type of field and a recipient: ${listed(places)}`;

/**
 * The fields that the tags of a document ask for; undefined if it has none, whatever else stands in
 * double brackets. What is wrong with a tag is a problem of the item, told with its page.
 *
 * @param signers the places in the list of recipients of those who have to sign
 */
export async function tagFields(
	item: Item,
	{ recipients, document }: Planning,
	signers: ReadonlyArray<number | undefined>,
): Promise<WantedField[] | undefined> {
	const { problems, context } = item;
	const run = runOf(context);
	const { isPlaced, isPartial } = document;
	const found = await findTags(document.pages, recipients);
	const unread = unreadPlaces(document);
	if (unread !== undefined && isPlaced) run.hintAt(NOT_LOOKED_FOR, unread);
	if (found.every(({ reading }) => reading.kind === 'other')) {
		for (const match of isPlaced ? found : [])
			run.hintAt(NO_TAGS, labelOf(match, document), 'info');
		return undefined;
	}

	const fields: WantedField[] = [];
	for (const match of found) {
		const label = labelOf(match, document);
		const { reading } = match;
		if (reading.kind === 'tag') {
			const { type, ...details } = reading.input;
			const field = checkObject({ value: details }, more, label, item);
			fields.push({ ...field, type, recipient: reading.recipient, match });
		} else problems.add(label, reading.what, reading.remedy);
	}
	// A tag that is wrong may be the one that is missing.
	const isSure = !isPartial && found.every(({ reading }) => reading.kind !== 'refused');
	for (const signer of isSure ? signers : []) {
		if (signer === undefined || signs(signer, fields)) continue;
		problems.add(
			fieldsMode.label,
			`there is no signature tag for ${recipients[signer]?.email}`,
			`Write [[signature ${signer + 1}]] in the document, or switch off Use Tags`,
		);
	}
	if (isPlaced && !problems.any) {
		const count = fields.length === 1 ? '1 field' : `${fields.length} fields`;
		run.hintAt(PLACED, `${count} by tags ${placesOf(document, found)}`, 'info');
	}
	return fields;
}

function labelOf(match: Match, document: DocumentText): string {
	const text = match.text.replace(/\s+/g, ' ').replaceAll(UNKNOWN, '?');
	return `${text} ${placesOf(document, [match])}`;
}

/** In the order of reading, at least 500 if there are as many. */
export async function findTags(
	pages: readonly PageText[],
	recipients: readonly NamedRecipient[],
): Promise<Bracketed[]> {
	const found: Bracketed[] = [];
	const turn = new LoopTurn();
	// Most pages have none: they need not be put in order.
	const searched = pages.map((page) => {
		const hasBracket = page.runs.some(({ texts }) => texts.some((text = '') => BRACKET.test(text)));
		return hasBracket ? page : { ...page, runs: [] };
	});
	for await (const flow of flowsOf(searched)) {
		for (const { 0: brackets, index } of flow.folded.matchAll(BRACKETS)) {
			await turn.pause();
			const match = matchIn(flow, index, index + brackets.length);
			const text = match.text.normalize('NFKC').replace(/^\[\s*\[|\]\s*\]$/g, '');
			const reading = readTag(text, recipients);
			if (reading) found.push({ ...match, reading });
		}
		// Each may be found in both orders of its page.
		if (found.length > 2 * MAX_MATCHES) break;
	}
	// In one of the orders, a tag of a narrow cell may have text of the next cell in it.
	const tags = found.filter(({ reading }) => reading.kind === 'tag');
	return inOrder([...tags, ...found]);
}
