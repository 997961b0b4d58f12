import type { Item, Problems, Refuse } from '../../../operation/parameters';
import { MAX_FIELDS } from '../../../service/limits';
import { placeBoxes, type Placement } from './boxes/placeBoxes';
import {
	checkPage,
	countPages,
	filesOf,
	isPlaced,
	pagesOf,
	placesOf,
	unreadPlaces,
	type DocumentText,
} from './documentText';
import { FIELD_VALUES } from './field';
import type { FieldsWanted, PlannedField } from './planned';
import type { FieldsRequest, RequestedField } from './read';
import { placeOf, type NamedRecipient } from './recipients';
import { findTexts } from './text/find';
import type { Match } from './text/match';
import { nearestText } from './text/nearest';

const TAKEN = new Set(FIELD_VALUES.map(({ name }) => name).filter((name) => name !== 'recipient'));

/** A field, and the text that says where it is. */
type Row = PlannedField & { placement?: Placement };

/** The fields of a list, at positions and at texts; one at a text may be several. */
export async function planList(
	item: Item,
	{ recipients, document }: FieldsWanted,
	{ label, fields }: Extract<FieldsRequest, { mode: 'list' }>,
): Promise<PlannedField[]> {
	const { problems } = item;
	const texts = fields.map(({ text = '' }) => text);
	const found = await findTexts(pagesOf(document), texts);
	const rows: Row[] = [];
	for (const [index, field] of fields.entries()) {
		const parameter = `${label} > ${index + 1}`;
		const recipient = recipientOf(field, recipients, `${parameter} > Recipient`, problems);
		if (field.text === undefined) {
			checkPage(Number(field.pageNumber), countPages(document), parameter, problems);
			rows.push({ recipient, input: inputOf(field) });
			continue;
		}
		const refuse = problems.at(`${parameter} > Text`);
		const matches = await chosen(field, found[index] ?? [], document, refuse);
		rows.push(...matches.map((match) => rowAt(match, field, recipient)));
		if (matches.length === 0) rows.push({ recipient, input: inputOf(field) });
	}
	if (rows.length > MAX_FIELDS) {
		problems.add(label, `has ${rows.length} fields`, `Use ${MAX_FIELDS} at most`);
		return [];
	}
	const places = placeBoxes(rows.flatMap(({ placement = [] }) => placement));
	return rows.map(({ placement, ...row }) => {
		return placement ? { ...row, input: { ...row.input, ...places.shift() } } : row;
	});
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

/** What the service takes of a field; its place by a text comes later. */
function inputOf(field: RequestedField): PlannedField['input'] {
	const taken = Object.entries(field).filter(([name]) => TAKEN.has(name));
	return Object.fromEntries(taken) as unknown as PlannedField['input'];
}

function rowAt(match: Match, field: RequestedField, recipient: number | undefined): Row {
	const { type, side = 'on', widthNorm, heightNorm, dropdownOptions = [] } = field;
	const placement: Placement = {
		match,
		type,
		side,
		options: dropdownOptions.length,
		width: widthNorm || undefined,
		height: heightNorm || undefined,
		right: field.xOffsetNorm,
		down: field.yOffsetNorm,
	};
	return { recipient, input: inputOf(field), placement };
}

/** The places of a text that count; none where that is not known yet, or refused. */
async function chosen(
	{ text = '', occurrence = 'only' }: RequestedField,
	matches: readonly Match[],
	document: DocumentText,
	refuse: Refuse,
): Promise<readonly Match[]> {
	const pages = matches.map(({ pageNumber }) => pageNumber);
	const isKnown = isPlaced(document) || countPages(document) !== undefined;
	if (matches.length === 0 && isKnown) refuse(...(await notFound(text, document)));
	if (occurrence === 'first') return matches.slice(0, 1);
	if (occurrence === 'last') return matches.slice(-1);
	if (occurrence === 'every' || matches.length < 2 || !isPlaced(document)) return matches;
	const what = `"${text}" is there ${matches.length} times, ${placesOf(document, pages)}`;
	refuse(what, 'Choose First, Last or Every under Occurrence, or a longer text');
	return [];
}

/** What is said of a text that is not there, and what to do. */
async function notFound(text: string, document: DocumentText): Promise<[string, string]> {
	const pages = pagesOf(document);
	const files = filesOf(document);
	if (pages.every(({ runs }) => runs.length === 0)) {
		const what = `"${text}" cannot be found, because no text can be read in ${files}`;
		return [what, 'Choose At Position'];
	}
	const unread = unreadPlaces(document);
	const but = unread === undefined ? '' : `, as far as it can be read: not ${unread}`;
	const nearest = await nearestText(pages, text);
	const remedy = nearest
		? `The nearest text is "${nearest.text}" ${placesOf(document, [nearest.pageNumber])}`
		: 'Correct the text, or choose At Position';
	return [`"${text}" is not in ${files}${but}`, remedy];
}
