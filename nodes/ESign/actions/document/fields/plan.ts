import type { FieldInput } from '../../../client';
import type { Item, Problems } from '../../../operation/parameters';
import { placeSignatures } from './automaticPlacement';
import { checkPage, countPages, filesOf, isPlaced } from './documentText';
import { fieldsMode } from './parameters';
import { planList } from './planList';
import type { FieldsWanted, PlannedField } from './planned';
import type { AutomaticRequest } from './read';
import { placeOf, type NamedRecipient } from './recipients';
import { planTags } from './tags/planTags';

/**
 * Resolves who fills each field and where it is, and adds what is wrong to the problems of the
 * item. Before there is a draft, the places may not be known: `planByDraft` plans them again.
 */
export async function planFields(item: Item, wanted: FieldsWanted): Promise<PlannedField[]> {
	const { request } = wanted;
	if (request.mode === 'none') return [];
	if (request.mode === 'automatic') return await planAutomatic(item, wanted, request.automatic);
	return await planList(item, wanted, request);
}

async function planAutomatic(
	item: Item,
	wanted: FieldsWanted,
	{ page, signers: named, useTags, ...beside }: AutomaticRequest,
): Promise<PlannedField[]> {
	const { problems } = item;
	const { recipients, document } = wanted;
	const signers =
		named.length > 0
			? named.map((name) => placeOf(name, recipients, 'Automatic Placement > Signers', problems))
			: recipients.flatMap(({ type }, index) => (type === 'cc' ? [] : [index]));
	// That nobody at all is named is a problem of the recipients, and said there.
	if (signers.length === 0 && recipients.length > 0) {
		const what = 'automatic placement needs a signer, and there is none';
		problems.add(fieldsMode.label, what, 'Add a recipient of type signer');
	}
	const tagged = useTags ? await planTags(item, wanted, signers) : undefined;
	if (tagged) return tagged;
	const last = countPages(document);
	if (page !== 'last') checkPage(page, last, 'Automatic Placement > Page Number', problems);
	else if (last === undefined && isPlaced(document)) {
		const what = `the number of pages of ${filesOf(document)} is not known`;
		problems.add('Automatic Placement > Page', what, 'Choose First Page or Page Number there');
	}
	const pageNumber = page === 'last' ? (last ?? 1) : page;
	return placeSignatures(signers, { pageNumber, ...beside });
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
): FieldInput[] {
	return fields.map(({ recipient, input }) => {
		const recipientId = recipient === undefined ? undefined : recipientIds[recipient];
		return recipientId === undefined ? { ...input } : { ...input, recipientId };
	});
}
