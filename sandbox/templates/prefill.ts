import { takesValue, valueFits } from '../documents/fields/values';
import { ApiError, type ErrorCode } from '../http/errors';
import type { Template, TemplateField } from '../state/entities';

function refuse(code: ErrorCode, keys: ReadonlySet<string>, message: string): void {
	if (keys.size === 0) return;
	const details = [...keys].map((key) => ({ field: `field_values.${key}`, message }));
	throw new ApiError(code, {
		message: `These field values ${message}: ${[...keys].join(', ')}.`,
		details,
	});
}

/**
 * The values to prefill, by field key: rules 2 to 7 of template send. Unknown keys are ignored, an
 * empty value leaves the field to its signer, and each refusal lists every key that it concerns.
 */
export function prefillValues(
	template: Template,
	input: Record<string, string> = {},
): Map<string, string> {
	const values = new Map(Object.entries(input).filter(([, value]) => value !== ''));
	const filled = template.fields.filter((field): field is TemplateField & { key: string } => {
		return field.key !== null && values.has(field.key);
	});
	const keysWhere = (isBad: (field: TemplateField & { key: string }) => boolean) =>
		new Set(filled.filter(isBad).map(({ key }) => key));
	refuse(
		'unprefillable_field_type',
		keysWhere((field) => !takesValue(field)),
		'cannot be prefilled',
	);
	refuse(
		'invalid_prefill_value',
		keysWhere((field) => !valueFits(field, values.get(field.key) ?? '')),
		'do not fit their field',
	);
	return values;
}
