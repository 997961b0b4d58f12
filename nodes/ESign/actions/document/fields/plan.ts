import type { IDataObject } from 'n8n-workflow';
import { listed, runOf, type Words } from '../../../client';
import type { Item, Problems } from '../../../operation/parameters';
import { MAX_FIELDS } from '../../../service/limits';
import { checkPage, lastPage, readOriginal } from './documentText';
import { FIELD_VALUES } from './field';
import { listFields } from './listFields';
import { placeFields, signs, type Planning, type WantedField } from './placeFields';
import { placeOf, type NamedRecipient } from './recipients';
import { fieldsMode, type AutomaticRequest } from './request';
import { tagFields } from './tags/tagFields';

/**
 * Fractions of the page. The last row begins at `lastTop`. Ten rows fill 0.8 of the height: 50 pt
 * each on A4, 47 pt on Letter, with 17 and 16 pt between.
 */
const ROW = { lastTop: 0.9, height: 0.06, step: 0.08 };
const SIGNATURE = { type: 'SIGNATURE', xNorm: 0.08, widthNorm: 0.38 };
const NAME = { type: 'NAME', xNorm: 0.48, widthNorm: 0.24 };
const DATE = { type: 'DATE', xNorm: 0.74, widthNorm: 0.18 };

const AT_BOTTOM: Words = (pages) =>
	`No tags were found. The signature boxes are at the bottom: page ${listed(pages)}`;

/** What the service takes of a field, beside who fills it. */
const TAKEN = new Set<string>(FIELD_VALUES.map(({ name }) => name));

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
	const pageNumber = page ?? last;
	if (useTags && document.isPlaced && !problems.any)
		runOf(item.context).hintAt(AT_BOTTOM, String(pageNumber), 'info');
	return signatureFields(signers, pageNumber, beside);
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
