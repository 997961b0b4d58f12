import type { TSchema } from '@sinclair/typebox';
import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { ApiError, type ErrorDetail } from './errors';

/** A request can be wrong in more places than anybody reads. */
const MOST_DETAILS = 1_000;

/** Bodies are taken as they are; the texts of a query are read as the numbers they spell. */
const ajvOf = {
	body: addFormats(new Ajv({ allErrors: true, useDefaults: false, strict: true })),
	query: addFormats(new Ajv({ allErrors: true, useDefaults: true, coerceTypes: true, strict: true })),
};

/** `/recipients/0/email` as `recipients.0.email`, with the property that is missing or too many appended. */
function pathOf({ instancePath, keyword, params }: ErrorObject): string {
	const segments = instancePath
		.split('/')
		.slice(1)
		.map((segment) => segment.replace(/~1/g, '/').replace(/~0/g, '~'));
	const { missingProperty, additionalProperty } = params as Record<string, unknown>;
	if (keyword === 'required') segments.push(String(missingProperty));
	if (keyword === 'additionalProperties') segments.push(String(additionalProperty));
	return segments.join('.');
}

function messageOf({ keyword, params, message }: ErrorObject): string {
	if (keyword === 'required') return 'is required';
	if (keyword === 'additionalProperties') return 'is not a known property';
	if (keyword === 'enum') return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`;
	return message ?? 'is not valid';
}

/** One detail per bad field: a field that breaks several rules is named once, with its first. */
function detailsOf(errors: readonly ErrorObject[], whole: string): ErrorDetail[] {
	const details = new Map<string, ErrorDetail>();
	for (const error of errors) {
		const field = pathOf(error) || whole;
		if (!details.has(field) && details.size < MOST_DETAILS) details.set(field, { field, message: messageOf(error) });
	}
	return [...details.values()];
}

/** Checks a value and returns it; throws validation_error with the path of each bad field. */
export type Validator = (value: unknown) => unknown;

/** Compiles a schema. `part` also names the value itself when it is wrong as a whole. */
export function validatorFor(schema: TSchema, part: 'body' | 'query'): Validator {
	const validate: ValidateFunction = ajvOf[part].compile(schema);
	return (value) => {
		if (!validate(value)) throw new ApiError('validation_error', { details: detailsOf(validate.errors ?? [], part) });
		return value;
	};
}
