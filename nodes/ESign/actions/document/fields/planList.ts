import type { Item, Problems, Refuse } from '../../../operation/parameters';
import { MAX_FIELDS } from '../../../service/limits';
import { checkPage, placesOf, unreadPlaces, type DocumentText } from './documentText';
import { placeRows, type FieldsWanted, type PlannedField, type Row } from './planned';
import type { FieldsRequest, RequestedField } from './read';
import { placeOf, type NamedRecipient } from './recipients';
import { findTexts, nearestText } from './text/find';
import type { Match } from './text/match';

/** The fields of a list, at positions and at texts; one at a text may be several. */
export async function planList(
	{ problems }: Item,
	{ recipients, document }: FieldsWanted,
	{ label, fields }: Extract<FieldsRequest, { mode: 'list' }>,
): Promise<PlannedField[]> {
	const found = await findTexts(
		document.pages,
		fields.map(({ text = '' }) => text),
	);
	const rows: Row[] = [];
	for (const [index, field] of fields.entries()) {
		const parameter = `${label} > ${index + 1}`;
		const recipient = recipientOf(field, recipients, `${parameter} > Recipient`, problems);
		if (field.text === undefined) {
			checkPage(Number(field.pageNumber), document, parameter, problems);
			rows.push({ recipient, field });
			continue;
		}
		const refuse = problems.at(`${parameter} > Text`);
		const matches = await chosen(field, found[index] ?? [], document, refuse);
		// Who signs is known also where the places are not.
		const places = matches.length > 0 ? matches : [undefined];
		rows.push(...places.map((match) => ({ recipient, field, match })));
	}
	if (rows.length > MAX_FIELDS)
		problems.add(label, `has ${rows.length} fields`, `Use ${MAX_FIELDS} at most`);
	return placeRows(rows.slice(0, MAX_FIELDS));
}

function recipientOf(
	{ recipient: name }: RequestedField,
	recipients: readonly NamedRecipient[],
	parameter: string,
	problems: Problems,
): number | undefined {
	if (name === undefined) return undefined;
	const recipient = placeOf(name, recipients, parameter, problems);
	if (recipient !== undefined && recipients[recipient]?.type === 'cc') {
		const what = `"${name}" is a cc, who only receives the finished document`;
		const remedy = 'Choose a signer, or change the type of this recipient to signer';
		problems.add(parameter, what, remedy);
	}
	return recipient;
}

/** The places of a text that count; none where that is not known yet, or refused. */
async function chosen(
	{ text = '', occurrence = 'only' }: RequestedField,
	matches: readonly Match[],
	document: DocumentText,
	refuse: Refuse,
): Promise<readonly Match[]> {
	const { isPlaced, isPartial } = document;
	if (matches.length === 0 && (isPlaced || !isPartial)) await refuseMissing(text, document, refuse);
	if (occurrence === 'first') return matches.slice(0, 1);
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
