import type { IDataObject } from 'n8n-workflow';
import type { Item, Problems } from '../../../operation/parameters';
import { MAX_FIELDS } from '../../../service/limits';
import { signatureFields } from './automaticPlacement';
import { checkPage, lastPage, readOriginal } from './documentText';
import { listFields } from './listFields';
import { fieldsMode } from './parameters';
import { placeFields, type PlannedField, type Planning, type WantedField } from './planned';
import type { AutomaticRequest } from './read';
import { placeOf, type NamedRecipient } from './recipients';
import { tagFields } from './tags/tagFields';

/**
 * The fields of a draft, placed by its `original`.
 *
 * @param expected what the words of the files have asked for
 * @throws NodeOperationError if they cannot be placed
 */
export async function planByDraft(
	item: Item,
	id: string,
	asked: Omit<Planning, 'document'>,
	expected: readonly PlannedField[],
): Promise<readonly PlannedField[]> {
	const { problems } = item;
	const document = await readOriginal(item, id, asked.request);
	const planned = await planFields(item, { ...asked, document });
	const lost = expected.find(({ isTag, recipient, input: { type } }) => {
		const isSame = (field: PlannedField) =>
			field.isTag && field.recipient === recipient && field.input.type === type;
		return isTag && !planned.some(isSame);
	});
	if (lost && !problems.any) {
		const tag = `${lost.input.type.toLowerCase()} ${Number(lost.recipient) + 1}`;
		const what = `the tag [[${tag}]] is in a file, but cannot be found in the PDF made of it`;
		problems.add('Automatic Placement > Use Tags', what, 'Check that it can be seen in the file');
	}
	// Other than before there was a draft, something was changed at the service.
	if (problems.any) throw item.error(...problems.told(''));
	return planned;
}

/**
 * Resolves who fills each field and where it is, and adds what is wrong to the problems of the
 * item. Before there is a draft, the places may not be known.
 */
export async function planFields(item: Item, planning: Planning): Promise<PlannedField[]> {
	const { label, automatic, fields } = planning.request;
	const wanted = automatic
		? await automaticFields(item, planning, automatic)
		: await listFields(item, planning);
	// Of more entries than that it was said when they were read.
	if (wanted.length > MAX_FIELDS && fields.length <= MAX_FIELDS)
		item.problems.add(label, `has ${wanted.length} fields`, `Use ${MAX_FIELDS} at most`);
	return await placeFields(wanted.slice(0, MAX_FIELDS));
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
		named.length > 0
			? named.map((name) => placeOf(name, recipients, refuseName))
			: recipients.flatMap(({ type }, index) => (type === 'cc' ? [] : [index]));
	// That nobody at all is named is a problem of the recipients, and said there.
	if (signers.length === 0 && recipients.length > 0) {
		const what = 'automatic placement needs a signer, and there is none';
		problems.add(fieldsMode.label, what, 'Add a recipient of type signer');
	}
	const tagged = useTags ? await tagFields(item, planning, signers) : undefined;
	if (tagged) return tagged;

	const last = lastPage(document);
	if (page !== 'last') checkPage(page, document, problems.at('Automatic Placement > Page Number'));
	else if (last === undefined && document.isPlaced) {
		const what = `the number of pages of ${document.name} is not known`;
		problems.add('Automatic Placement > Page', what, 'Choose First Page or Page Number there');
	}
	const pageNumber = page === 'last' ? (last ?? 1) : page;
	return signatureFields(signers, { pageNumber, ...beside });
}

/** Sending needs a signature field per signer (docs/service.md section 3). */
export function checkEverySignerSigns(
	fields: readonly PlannedField[],
	recipients: readonly NamedRecipient[],
	problems: Problems,
): void {
	const signing = new Set(
		fields.filter(({ input }) => input.type === 'SIGNATURE').map(({ recipient }) => recipient),
	);
	const without = recipients.filter(({ type }, index) => type !== 'cc' && !signing.has(index));
	if (without.length === 0) return;
	const whom = without.map(({ email }) => email).join(', ');
	problems.add(
		fieldsMode.label,
		`there is no Signature field for ${whom}, without which the document cannot be sent`,
		'Choose Automatic, add a field of type Signature for each signer, or use Create Draft to send it later',
	);
}

export function fieldInputs(
	fields: readonly PlannedField[],
	recipientIds: ReadonlyArray<string | undefined> = [],
): IDataObject[] {
	return fields.map(({ recipient = -1, input }) => {
		const recipientId = recipientIds[recipient];
		return recipientId === undefined ? input : { ...input, recipientId };
	});
}
