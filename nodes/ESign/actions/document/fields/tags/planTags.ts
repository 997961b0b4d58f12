import { listed, runOf, type Words } from '../../../../client';
import { checkObject, type Item } from '../../../../operation/parameters';
import { MAX_FIELDS } from '../../../../service/limits';
import { placesOf, unreadPlaces, type DocumentText } from '../documentText';
import { fieldsMode } from '../parameters';
import { FIELD_VALUES } from '../field';
import { placeRows, type FieldsWanted, type PlannedField } from '../planned';
import type { Match } from '../text/match';
import { UNKNOWN } from '../text/glyph';
import { findTags, type Bracketed } from './findTags';
import type { Refusal } from './readTag';

const PLACED: Words = (places) => `Fields were placed by tags: ${listed(places)}`;

const NOT_LOOKED_FOR: Words = (places) =>
	`Tags were not looked for ${listed(places)}, because the text there cannot be read`;

/** What a tag may say. */
const TAG_VALUES = FIELD_VALUES.filter(({ name }) =>
	['type', 'required', 'placeholderText', 'dropdownOptions'].includes(name),
);

/**
 * The fields that the tags of a document ask for; undefined if it has none, whatever else stands in
 * double brackets. What is wrong with a tag is a problem of the item, told with its page.
 *
 * @param signers the places in the list of recipients of those who have to sign
 */
export async function planTags(
	item: Item,
	{ recipients, document }: FieldsWanted,
	signers: ReadonlyArray<number | undefined>,
): Promise<PlannedField[] | undefined> {
	const { problems, context } = item;
	const found = await findTags(document.pages, recipients);
	const unread = unreadPlaces(document);
	if (unread !== undefined && document.isPlaced) runOf(context).hintAt(NOT_LOOKED_FOR, unread);
	if (!found.some(({ reading }) => /^(?:tag|refused)$/.test(reading.kind))) return undefined;

	refuseWrong(item, document, found);
	const rows = rowsOf(item, document, found);
	if (rows.length > MAX_FIELDS)
		problems.add(fieldsMode.label, 'has too many tags', `Use ${MAX_FIELDS} tags at most`);
	for (const signer of signers) {
		const isSigning = rows.some(
			({ recipient, field }) => recipient === signer && field.type === 'SIGNATURE',
		);
		if (isSigning || signer === undefined || document.isPartial) continue;
		const what = `there is no signature tag for ${recipients[signer]?.email}`;
		const tag = `[[signature ${signer + 1}]]`;
		problems.add(fieldsMode.label, what, `Write ${tag} in the document, or switch off Use Tags`);
	}
	if (document.isPlaced && !problems.any) {
		const count = rows.length === 1 ? '1 field' : `${rows.length} fields`;
		const places = placesOf(
			document,
			rows.map(({ match }) => match),
		);
		runOf(context).hintAt(PLACED, `${count} by tags ${places}`, 'info');
	}
	return placeRows(rows);
}

/** All that stands in double brackets and is no tag; what is the same on several pages, once. */
function refuseWrong(
	{ problems }: Item,
	document: DocumentText,
	found: readonly Bracketed[],
): void {
	const wrong = new Map<string, { refusal: Refusal; matches: Match[] }>();
	for (const { reading, ...match } of found) {
		if (!('what' in reading)) continue;
		const text = spelt(match);
		const before = wrong.get(text)?.matches ?? [];
		wrong.set(text, { refusal: reading, matches: [...before, match] });
	}
	for (const [text, { refusal, matches }] of wrong)
		problems.add(`${text} ${placesOf(document, matches)}`, refusal.what, refusal.remedy);
}

function rowsOf(item: Item, document: DocumentText, found: readonly Bracketed[]) {
	return found.flatMap(({ reading, ...match }) => {
		if (reading.kind !== 'tag') return [];
		const { recipient, input } = reading;
		const label = `${spelt(match)} ${placesOf(document, [match])}`;
		const field = checkObject({ value: input }, TAG_VALUES, label, item);
		return [{ recipient, isTag: true, field: { ...field, type: input.type }, match }];
	});
}

function spelt({ text }: Pick<Match, 'text'>): string {
	return text.replace(/\s+/g, ' ').replaceAll(UNKNOWN, '?');
}
