import type { Item, Refuse } from '../../../operation/parameters';
import { checkPage, placesOf, unreadPlaces, type DocumentText } from './documentText';
import type { AskedField } from './field';
import type { Planning, WantedField } from './placeFields';
import { placeOf } from './recipients';
import { findTexts, MAX_MATCHES, nearestText, type Match } from './text/find';

/**
 * What Word may have put before a paragraph by itself; then it is not among the words of the file:
 *
 * | as it is asked for                              | among the words |
 * | ----------------------------------------------- | --------------- |
 * | `5. Fees`, `1.2.3 Fees`, `§ 5 Fees`, `(5) Fees` | `Fees`          |
 * | `(a) Fees`, `b) Fees`, `IV. Fees`               | `Fees`          |
 */
const NUMBERING = /^(?:[^\p{L}\d\s]*\s?\d[\d.]*\)?|\(?\p{L}{1,4}[.)])\s+/u;

/** The fields of a list, at positions and at texts; one at a text may be several. */
export async function listFields(
	{ problems }: Item,
	{ request: { label, fields }, recipients, document }: Planning,
): Promise<WantedField[]> {
	const texts = fields.map(({ text = '' }) =>
		document.isPlaced ? text : text.replace(NUMBERING, ''),
	);
	const found = await findTexts(document.pages, texts);
	const wanted: WantedField[] = [];
	for (const [index, { recipient: name, ...field }] of fields.entries()) {
		const parameter = `${label} > ${index + 1}`;
		const refuseName = problems.at(`${parameter} > Recipient`);
		const recipient = name === undefined ? undefined : placeOf(name, recipients, refuseName);
		const refuse = problems.at(field.text === undefined ? parameter : `${parameter} > Text`);
		if (field.text === undefined) checkPage(Number(field.pageNumber), document, refuse);
		const matches = await chosen(field, found[index] ?? [], document, refuse);
		// Who signs is known also where the places are not.
		const places = matches.length > 0 ? matches : [undefined];
		wanted.push(...places.map((match) => ({ ...field, recipient, match })));
	}
	return wanted;
}

/** The places of a text that count; none where that is not known yet, or refused. */
async function chosen(
	{ text, occurrence = 'only' }: AskedField,
	matches: readonly Match[],
	document: DocumentText,
	refuse: Refuse,
): Promise<readonly Match[]> {
	const { isPlaced, isPartial } = document;
	if (text === undefined) return [];
	if (matches.length === 0 && !isPartial) await refuseMissing(text, document, refuse);
	if (occurrence === 'first') return matches.slice(0, 1);
	if (matches.length > MAX_MATCHES) {
		refuse(`"${text}" is there more than ${MAX_MATCHES} times`, 'Choose First, or a longer text');
		return [];
	}
	if (occurrence === 'last') return matches.slice(-1);
	if (occurrence === 'every' || matches.length < 2 || !isPlaced) return matches;
	const what = `"${text}" is there ${matches.length} times, ${placesOf(document, matches)}`;
	refuse(what, 'Choose First, Last or Every under Occurrence, or a longer text');
	return [];
}

async function refuseMissing(text: string, document: DocumentText, refuse: Refuse) {
	const { name, pages } = document;
	const isRead = pages.some(({ runs }) => runs.length > 0);
	if (!isRead) {
		const what = `"${text}" cannot be found, because no text can be read in ${name}`;
		return refuse(what, 'Choose At Position');
	}
	const unread = unreadPlaces(document);
	const but = unread === undefined ? '' : `, as far as it can be read: not ${unread}`;
	const nearest = await nearestText(pages, text);
	const remedy = nearest
		? `The nearest text is "${nearest.text}" ${placesOf(document, [nearest])}`
		: 'Correct the text, or choose At Position';
	return refuse(`"${text}" is not in ${name}${but}`, remedy);
}
