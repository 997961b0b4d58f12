import { listed, runOf, type Words } from '../../../../client';
import type { Item, Problems } from '../../../../operation/parameters';
import { MAX_FIELDS } from '../../../../service/limits';
import { placeBoxes } from '../boxes/placeBoxes';
import {
	countPages,
	isPlaced,
	pagesOf,
	placesOf,
	unreadPlaces,
	type DocumentText,
} from '../documentText';
import { fieldsMode } from '../parameters';
import type { FieldsWanted, PlannedField } from '../planned';
import type { NamedRecipient } from '../recipients';
import { UNKNOWN } from '../text/glyph';
import { findTags, type Bracketed } from './findTags';
import type { Tag } from './readTag';

const PLACED: Words = (places) => `Fields were placed by tags: ${listed(places)}`;

const NOT_LOOKED_FOR: Words = (places) =>
	`Tags were not looked for ${listed(places)}, because the text there cannot be read`;

const NO_TAG = {
	what: 'is neither a tag nor filled in',
	remedy: 'Fill it in, or switch off Use Tags',
};

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
	const found = await findTags(pagesOf(document), recipients);
	const unread = unreadPlaces(document);
	if (unread !== undefined && isPlaced(document)) runOf(context).hintAt(NOT_LOOKED_FOR, unread);
	const tags = found.flatMap(({ reading, ...match }) =>
		reading.kind === 'tag' ? [{ ...reading, match }] : [],
	);
	if (tags.length === 0 && !found.some(({ reading }) => reading.kind === 'refused'))
		return undefined;
	if (tags.length > MAX_FIELDS)
		problems.add(fieldsMode.label, 'has too many tags', `Use ${MAX_FIELDS} tags at most`);
	refuseWrong(found, document, problems);
	if (countPages(document) !== undefined) refuseMissing(tags, signers, recipients, problems);
	const pages = tags.map(({ match }) => match.pageNumber);
	if (isPlaced(document) && !problems.any) {
		const count = tags.length === 1 ? '1 field' : `${tags.length} fields`;
		runOf(context).hintAt(PLACED, `${count} by tags ${placesOf(document, pages)}`, 'info');
	}
	const places = placeBoxes(
		tags.map(({ match, input }) => {
			const { type, dropdownOptions = [] } = input;
			return { match, type, options: dropdownOptions.length, side: 'on' };
		}),
	);
	return places.flatMap((place, index) => {
		const { recipient, input } = tags[index] ?? {};
		return input ? [{ recipient, isTag: true, input: { ...place, ...input } }] : [];
	});
}

/** All that stands in double brackets and is no tag; what is the same on several pages, once. */
function refuseWrong(
	found: readonly Bracketed[],
	document: DocumentText,
	problems: Problems,
): void {
	const wrong = found.filter(({ reading }) => /^(?:refused|other)$/.test(reading.kind));
	for (const text of new Set(wrong.map(spelt))) {
		const same = wrong.filter((one) => spelt(one) === text);
		const [first] = same;
		const places = placesOf(
			document,
			same.map(({ pageNumber }) => pageNumber),
		);
		const { what, remedy } = first?.reading.kind === 'refused' ? first.reading : NO_TAG;
		problems.add(`${text} ${places}`, what, remedy);
	}
}

function spelt({ text }: Bracketed): string {
	return text.replace(/\s+/g, ' ').replaceAll(UNKNOWN, '?');
}

function refuseMissing(
	tags: readonly Tag[],
	signers: ReadonlyArray<number | undefined>,
	recipients: readonly NamedRecipient[],
	problems: Problems,
): void {
	for (const signer of signers) {
		const signs = tags.some(
			({ recipient, input }) => recipient === signer && input.type === 'SIGNATURE',
		);
		if (signs || signer === undefined) continue;
		const what = `there is no signature tag for ${recipients[signer]?.email}`;
		const tag = `[[signature ${signer + 1}]]`;
		problems.add(fieldsMode.label, what, `Write ${tag} in the document, or switch off Use Tags`);
	}
}
