import type { IDataObject } from 'n8n-workflow';
import type { Item, Problems, Refuse } from '../../../operation/parameters';
import { MAX_FIELDS } from '../../../service/limits';
import {
	checkPage,
	lastPage,
	placesOf,
	readOriginal,
	unreadPlaces,
	type DocumentText,
} from './documentText';
import { FIELD_VALUES, type AskedField } from './field';
import { placeFields, signs, type Planning, type WantedField } from './placeFields';
import { placeOf, type NamedRecipient } from './recipients';
import { fieldsMode, type AutomaticRequest } from './request';
import { tagFields } from './tags/tagFields';
import { findTexts, MAX_MATCHES, nearestText, type Match } from './text/find';

/**
 * Fractions of the page. The last row begins at `lastTop`. Ten rows fill 0.8 of the height: 50 pt
 * each on A4, 47 pt on Letter, with 17 and 16 pt between.
 */
const ROW = { lastTop: 0.9, height: 0.06, step: 0.08 };
const SIGNATURE = { type: 'SIGNATURE', xNorm: 0.08, widthNorm: 0.38 };
const NAME = { type: 'NAME', xNorm: 0.48, widthNorm: 0.24 };
const DATE = { type: 'DATE', xNorm: 0.74, widthNorm: 0.18 };

/** What the service takes of a field, beside who fills it. */
const TAKEN = new Set<string>(FIELD_VALUES.map(({ name }) => name));

/**
 * What Word may have put before a paragraph by itself; then it is not among the words of the file:
 *
 * | as it is asked for                              | among the words |
 * | ----------------------------------------------- | --------------- |
 * | `5. Fees`, `1.2.3 Fees`, `§ 5 Fees`, `(5) Fees` | `Fees`          |
 * | `(a) Fees`, `b) Fees`, `IV. Fees`               | `Fees`          |
 */
const NUMBERING = /^(?:[^\p{L}\d\s]*\s?\d[\d.]*\)?|\(?\p{L}{1,4}[.)])\s+/u;

/** What is known of the fields of a document before there is a draft. */
export type PlanBefore = Omit<Planning, 'document'> & { fields: readonly WantedField[] };

/**
 * The fields of a draft, placed by its `original`.
 *
 * @throws NodeOperationError if they cannot be placed
 */
export async function planByDraft(
	item: Item,
	id: string,
	{ request, recipients, fields: expected }: PlanBefore,
): Promise<WantedField[]> {
	const { problems } = item;
	const document = await readOriginal(item, id, request);
	const planned = await planFields(item, { request, recipients, document }, expected);
	// Other than before there was a draft, something was changed at the service.
	if (problems.any) throw item.error(...problems.told(''));
	return planned;
}

/**
 * Resolves who fills each field and where it is, and adds what is wrong to the problems of the
 * item. Before there is a draft, the places may not be known.
 *
 * @param expected what the words of the files have asked for, before there was a draft
 */
export async function planFields(
	item: Item,
	planning: Planning,
	expected: readonly WantedField[] = [],
): Promise<WantedField[]> {
	const { problems } = item;
	const { request, document } = planning;
	const { label, automatic, fields } = request;
	const wanted = automatic
		? await automaticFields(item, planning, automatic)
		: await listFields(item, planning);
	// Of more entries than that it was said when they were read.
	if (wanted.length > MAX_FIELDS && fields.length <= MAX_FIELDS)
		problems.add(label, `has ${wanted.length} fields`, `Use ${MAX_FIELDS} at most`);
	if (!problems.any) refuseLost(expected, wanted, problems);
	if (document.isPlaced && !problems.any) await placeFields(wanted);
	return wanted;
}

/** A tag that is among the words of a file must be in the PDF made of it, too. */
function refuseLost(
	expected: readonly WantedField[],
	wanted: readonly WantedField[],
	problems: Problems,
): void {
	const lost = expected.find(({ match, recipient, type }) => {
		const isSame = (field: WantedField) =>
			field.match && field.recipient === recipient && field.type === type;
		return match && !wanted.some(isSame);
	});
	if (!lost) return;
	const tag = `[[${lost.type?.toLowerCase()} ${Number(lost.recipient) + 1}]]`;
	problems.add(
		'Automatic Placement > Use Tags',
		`the tag ${tag} is in a file, but cannot be found in the PDF made of it`,
		'Check that it can be seen in the file',
	);
}

async function automaticFields(
	item: Item,
	planning: Planning,
	{ page, signers: named, useTags, ...beside }: AutomaticRequest,
): Promise<WantedField[]> {
	const { problems } = item;
	const { recipients, document } = planning;
	const refuseName = problems.at('Automatic Placement > Signers');
	const signers =
		named?.map((name) => placeOf(name, recipients, refuseName)) ??
		recipients.flatMap(({ type }, index) => (type === 'cc' ? [] : [index]));
	// That nobody at all is named is a problem of the recipients, and said there.
	if (signers.length === 0 && recipients.length > 0) {
		problems.add(
			fieldsMode.label,
			'automatic placement needs a signer, and there is none',
			'Add a recipient of type signer',
		);
	}
	const tagged = useTags ? await tagFields(item, planning, signers) : undefined;
	if (tagged) return tagged;

	const last = lastPage(document);
	if (page !== undefined)
		checkPage(page, document, problems.at('Automatic Placement > Page Number'));
	else if (last === 0 && document.isPlaced) {
		problems.add(
			'Automatic Placement > Page',
			`the number of pages of ${document.name} is not known`,
			'Choose First Page or Page Number there',
		);
	}
	return signatureFields(signers, page ?? last, beside);
}

/**
 * One box per signer, the first on top; none overlaps another or leaves the page for up to ten
 * signers.
 */
export function signatureFields(
	signers: ReadonlyArray<number | undefined>,
	pageNumber: number,
	{ addName, addDate }: Pick<AutomaticRequest, 'addName' | 'addDate'>,
): WantedField[] {
	const columns = [SIGNATURE];
	if (addName) columns.push(NAME);
	if (addDate) columns.push(DATE);
	return signers.flatMap((recipient, index) => {
		const rowsBelow = signers.length - 1 - index;
		// Four decimals, a twelfth of a point: no rounding error of a sum reaches the request.
		const yNorm = Number((ROW.lastTop - rowsBelow * ROW.step).toFixed(4));
		const row = { recipient, pageNumber, yNorm, heightNorm: ROW.height };
		return columns.map((column) => ({ ...row, ...column }));
	});
}

/** The fields of a list, at positions and at texts; one at a text may be several. */
async function listFields(
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
		const places = matches?.[0] ? matches : [undefined];
		wanted.push(...places.map((match) => ({ ...field, recipient, match })));
	}
	return wanted;
}

/** The places of a text that count; none or undefined where that is not known yet, or refused. */
async function chosen(
	{ text, occurrence = 'only' }: AskedField,
	matches: readonly Match[],
	document: DocumentText,
	refuse: Refuse,
): Promise<readonly Match[] | undefined> {
	const { isPlaced, isPartial } = document;
	if (text === undefined) return undefined;
	if (matches.length === 0 && !isPartial) await refuseMissing(text, document, refuse);
	if (occurrence === 'first') return matches.slice(0, 1);
	if (matches.length > MAX_MATCHES)
		return refuse(
			`"${text}" is there more than ${MAX_MATCHES} times`,
			'Choose First, or a longer text',
		);
	if (occurrence === 'last') return matches.slice(-1);
	if (occurrence === 'every' || matches.length < 2 || !isPlaced) return matches;
	return refuse(
		`"${text}" is there ${matches.length} times, ${placesOf(document, matches)}`,
		'Choose First, Last or Every under Occurrence, or a longer text',
	);
}

async function refuseMissing(text: string, document: DocumentText, refuse: Refuse) {
	const { name, pages } = document;
	const isRead = pages.some(({ runs }) => runs.length > 0);
	if (!isRead)
		return refuse(
			`"${text}" cannot be found, because no text can be read in ${name}`,
			'Choose At Position',
		);
	const unread = unreadPlaces(document);
	const but = unread === undefined ? '' : `, as far as it can be read: not ${unread}`;
	const nearest = await nearestText(pages, text);
	const remedy = nearest
		? `The nearest text is "${nearest.text}" ${placesOf(document, [nearest])}`
		: 'Correct the text, or choose At Position';
	return refuse(`"${text}" is not in ${name}${but}`, remedy);
}

/** Sending needs a signature field per signer (docs/service.md section 3). */
export function checkEverySignerSigns(
	fields: readonly WantedField[],
	recipients: readonly NamedRecipient[],
	problems: Problems,
): void {
	const without = recipients.filter(({ type }, index) => type !== 'cc' && !signs(index, fields));
	if (without.length === 0) return;
	const whom = without.map(({ email }) => email).join(', ');
	problems.add(
		fieldsMode.label,
		`there is no Signature field for ${whom}, without which the document cannot be sent`,
		'Choose Automatic, add a field of type Signature for each signer, or use Create Draft to send it later',
	);
}

/** As the service takes them. */
export function fieldInputs(
	fields: readonly WantedField[],
	recipientIds: ReadonlyArray<string | undefined> = [],
): IDataObject[] {
	return fields.map(({ recipient = -1, ...field }) => {
		const taken = Object.entries(field).filter(([name]) => TAKEN.has(name));
		return { ...Object.fromEntries(taken), recipientId: recipientIds[recipient] } as IDataObject;
	});
}
