import { ApiError, invalid, type ErrorDetail } from '../../http/errors';
import type { FieldInput } from '../../schemas/documentRequests';
import type { Field, FieldLook, Recipient, SignDocument } from '../../state/entities';
import { newId } from '../../state/ids';

/** Forgives the last bits of a sum such as 0.7 + 0.3. */
const TOLERANCE = 1e-9;

/**
 * Rule 1 of POST /documents: the field fits on its page, and the page exists. `pageCount` 0 means
 * it is unknown.
 */
export function fits(
	field: Pick<FieldInput, 'xNorm' | 'yNorm' | 'widthNorm' | 'heightNorm' | 'pageNumber'>,
	pageCount: number,
): boolean {
	return (
		field.xNorm + field.widthNorm <= 1 + TOLERANCE &&
		field.yNorm + field.heightNorm <= 1 + TOLERANCE &&
		(pageCount === 0 || field.pageNumber <= pageCount)
	);
}

function lookOf(input: FieldInput): FieldLook {
	const {
		fontFamily,
		fontBold,
		fontItalic,
		fontSize,
		fontColor,
		dateFormat,
		radioLayout,
		dropdownOptions,
	} = input;
	return {
		fontFamily,
		fontBold,
		fontItalic,
		fontSize,
		fontColor,
		dateFormat,
		radioLayout,
		dropdownOptions,
	};
}

function fromInput(input: FieldInput): Field {
	return {
		id: newId('fld'),
		type: input.type,
		recipientId: input.recipientId ?? null,
		page: input.pageNumber,
		xNorm: input.xNorm,
		yNorm: input.yNorm,
		widthNorm: input.widthNorm,
		heightNorm: input.heightNorm,
		required: input.required ?? true,
		key: input.fieldKey ?? null,
		customFieldId: input.customFieldId ?? null,
		fillMode: input.fillMode ?? 'SIGNER_FILLED',
		value: input.value ?? null,
		placeholderText: input.placeholderText ?? null,
		helpText: input.helpText ?? null,
		look: lookOf(input),
	};
}

/**
 * Makes the fields of a document from a request.
 * @throws validation_error for a recipient that the document does not have or that is a cc;
 * field_out_of_bounds.
 */
export function makeFields(
	inputs: readonly FieldInput[],
	recipients: readonly Recipient[],
	pageCount: number,
): Field[] {
	const details: ErrorDetail[] = inputs.flatMap(({ recipientId }, index) => {
		if (recipientId === undefined || recipientId === null) return [];
		const recipient = recipients.find(({ id }) => id === recipientId);
		if (recipient?.type === 'signer') return [];
		const message = recipient
			? 'must not be a cc recipient'
			: 'must be a recipient of this document';
		return [{ field: `fields.${index}.recipientId`, message }];
	});
	if (details.length > 0) throw new ApiError('validation_error', { details });
	const outside = inputs.flatMap((field, index) =>
		fits(field, pageCount) ? [] : [`fields.${index}`],
	);
	if (outside.length > 0) {
		throw new ApiError('field_out_of_bounds', {
			message: `These fields do not fit on their page: ${outside.join(', ')}.`,
		});
	}
	return inputs.map(fromInput);
}

/**
 * PUT fields: a full replacement; every field gets a new id (docs/service.md section 4, rule 3).
 */
export function replaceFields(document: SignDocument, inputs: readonly FieldInput[]): void {
	if (document.status !== 'draft') throw new ApiError('document_not_draft');
	document.fields = makeFields(inputs, document.recipients, document.pageCount);
}

/** Rule 2 of POST /documents: every signer has at least one signature field. */
export function requireSignatureFields(document: SignDocument): void {
	const without = document.recipients.filter(
		({ id, type }) =>
			type === 'signer' &&
			!document.fields.some((field) => field.recipientId === id && field.type === 'SIGNATURE'),
	);
	if (without.length > 0) {
		throw new ApiError('signer_missing_signature_field', {
			suffix: without.map(({ id }) => id).join(','),
		});
	}
}

/** Refuses a document whose source could not be built; docs/service.md has no code for it. */
export function requireSource(document: SignDocument): void {
	if (!document.source) throw invalid('files', 'could not be converted to PDF pages');
}
