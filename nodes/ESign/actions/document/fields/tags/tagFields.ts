import { listed, runOf, type Words } from '../../../../client';
import { checkObject, type Item } from '../../../../operation/parameters';
import { placesOf, unreadPlaces, type DocumentText } from '../documentText';
import { FIELD_VALUES } from '../field';
import { fieldsMode } from '../parameters';
import type { Planning, WantedField } from '../planned';
import { UNKNOWN } from '../text/glyph';
import type { Match } from '../text/match';
import { findTags, type Bracketed } from './findTags';

const PLACED: Words = (places) => `Placed ${listed(places)}`;

const NOT_LOOKED_FOR: Words = (places) =>
	`Tags were not looked for ${listed(places)}, because the text there cannot be read`;

const NO_TAGS: Words = (places) =>
	`Text in double brackets is no tag without a type of field and a recipient: ${listed(places)}`;

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
export async function tagFields(
	item: Item,
	{ recipients, document }: Planning,
	signers: ReadonlyArray<number | undefined>,
): Promise<WantedField[] | undefined> {
	const { problems, context } = item;
	const found = await findTags(document.pages, recipients);
	const unread = unreadPlaces(document);
	if (unread !== undefined && document.isPlaced) runOf(context).hintAt(NOT_LOOKED_FOR, unread);
	if (found.every(({ reading }) => reading.kind === 'other')) {
		for (const match of document.isPlaced ? found : [])
			runOf(context).hintAt(NO_TAGS, `${spelt(match)} ${placesOf(document, [match])}`, 'info');
		return undefined;
	}

	const fields = fieldsOf(item, document, found);
	const signing = fields.filter(({ field }) => field.type === 'SIGNATURE');
	for (const signer of document.isPartial ? [] : signers) {
		if (signer === undefined || signing.some(({ recipient }) => recipient === signer)) continue;
		const what = `there is no signature tag for ${recipients[signer]?.email}`;
		const tag = `[[signature ${signer + 1}]]`;
		problems.add(fieldsMode.label, what, `Write ${tag} in the document, or switch off Use Tags`);
	}
	if (document.isPlaced && !problems.any) {
		const count = fields.length === 1 ? '1 field' : `${fields.length} fields`;
		runOf(context).hintAt(PLACED, `${count} by tags ${placesOf(document, found)}`, 'info');
	}
	return fields;
}

/** Whatever else stands in double brackets is refused. */
function fieldsOf(item: Item, document: DocumentText, found: readonly Bracketed[]): WantedField[] {
	const fields: WantedField[] = [];
	for (const { reading, ...match } of found) {
		const label = `${spelt(match)} ${placesOf(document, [match])}`;
		if (reading.kind === 'tag') {
			const { recipient, input } = reading;
			const field = checkObject({ value: input }, TAG_VALUES, label, item);
			fields.push({ recipient, isTag: true, field: { ...field, type: input.type }, match });
		} else item.problems.add(label, reading.what, reading.remedy);
	}
	return fields;
}

function spelt({ text }: Pick<Match, 'text'>): string {
	return text.replace(/\s+/g, ' ').replaceAll(UNKNOWN, '?');
}
