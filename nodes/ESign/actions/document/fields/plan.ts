import type { FieldInput } from '../../../client';
import type { Problems } from '../../../operation/parameters';
import { placeSignatures } from './automaticPlacement';
import { fieldsMode } from './parameters';
import { placeOf, type NamedRecipient } from './recipients';
import type { AutomaticRequest, FieldsRequest } from './read';

/**
 * A field whose recipient is a place in the list of recipients; undefined while nobody is to fill
 * it.
 */
export interface PlannedField {
	recipient?: number;
	input: Omit<FieldInput, 'recipientId'>;
}

/**
 * Resolves who fills each field, by email (whatever its case) or by 1-based position. Unknown names
 * and fields for a cc are added to `problems`.
 *
 * @param lastPage where automatic placement puts the fields if the last page is asked for
 */
export function planFields(
	request: FieldsRequest,
	recipients: readonly NamedRecipient[],
	problems: Problems,
	lastPage = 1,
): PlannedField[] {
	if (request.mode === 'none') return [];
	if (request.mode === 'automatic')
		return planAutomatic(request.automatic, recipients, problems, lastPage);
	return request.fields.map(({ recipient: name, ...input }, index) => {
		if (name === undefined) return { input };
		const parameter = `${request.label} > ${index + 1} > Recipient`;
		const recipient = placeOf(name, recipients, parameter, problems);
		if (recipient === undefined) return { input };
		if (recipients[recipient]?.type === 'cc') {
			const what = `"${name}" is a cc, who only receives the finished document`;
			problems.add(
				parameter,
				what,
				'Choose a signer, or change the type of this recipient to signer',
			);
		}
		return { recipient, input };
	});
}

function planAutomatic(
	{ page, signers: named, ...beside }: AutomaticRequest,
	recipients: readonly NamedRecipient[],
	problems: Problems,
	lastPage: number,
): PlannedField[] {
	const signers =
		named.length > 0
			? named.map((name) => placeOf(name, recipients, 'Automatic Placement > Signers', problems))
			: recipients.flatMap(({ type }, index) => (type === 'cc' ? [] : [index]));
	// That nobody at all is named is a problem of the recipients, and said there.
	if (signers.length === 0 && recipients.length > 0) {
		const what = 'automatic placement needs a signer, and there is none';
		problems.add(fieldsMode.label, what, 'Add a recipient of type signer');
	}
	const pageNumber = page === 'last' ? lastPage : page;
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
