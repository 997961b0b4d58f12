import type { Static, TSchema } from '@sinclair/typebox';
import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import { ApiError, type ErrorDetail } from './errors';

/** A request can be wrong in more places than anybody reads. */
const MAX_DETAILS = 1_000;

/**
 * `/recipients/0/email` as `recipients.0.email`, with the property that is missing or too many
 * appended.
 */
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
		if (!details.has(field) && details.size < MAX_DETAILS)
			details.set(field, { field, message: messageOf(error) });
	}
	return [...details.values()];
}

function ajvFor(part: string, named: readonly object[]): Ajv {
	const ajv = addFormats(
		new Ajv({ allErrors: true, strict: true, useDefaults: part === 'querystring' }),
	);
	ajv.addSchema([...named]);
	// Says how a file is sent; what the file may be is not for a schema.
	ajv.addFormat('binary', true);
	return ajv;
}

/** Answers what was checked, or a validation_error with the path of each bad field. */
type Check = (value: unknown) => { value: unknown } | { error: ApiError };

function checkWith(validate: ValidateFunction, whole: string): Check {
	return (value) =>
		validate(value)
			? { value }
			: {
					error: new ApiError('validation_error', {
						details: detailsOf(validate.errors ?? [], whole),
					}),
				};
}

/**
 * A query is text: what it spells in plain digits is the integer that its schema asks for. `1e1`
 * and ` 10` are not.
 */
function readIntegers(schema: object, query: unknown): unknown {
	if (!isRecord(query) || !('properties' in schema) || !isRecord(schema.properties)) return query;
	for (const [name, property] of Object.entries(schema.properties)) {
		const text = query[name];
		const integer = isRecord(property) && property.type === 'integer';
		if (integer && typeof text === 'string' && /^-?\d+$/.test(text)) query[name] = Number(text);
	}
	return query;
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

/**
 * Compiles the schemas of routes, as the framework asks for it. `named` are the schemas that they
 * refer to.
 */
export function validatorCompiler(named: readonly object[]): FastifySchemaCompiler<object> {
	const byPart = new Map<string, Ajv>();
	return ({ schema, httpPart = 'body' }) => {
		const ajv = byPart.get(httpPart) ?? ajvFor(httpPart, named);
		byPart.set(httpPart, ajv);
		if (httpPart !== 'querystring') return checkWith(ajv.compile(schema), httpPart);
		const check = checkWith(ajv.compile(schema), 'query');
		return (query: unknown) => check(readIntegers(schema, query));
	};
}

/**
 * One for all of them: each new Ajv compiles the schema of schemas, which takes longer than
 * everything else at a start.
 */
let bodies: Ajv | undefined;

/**
 * Compiles the schema of a body that no route of the service takes. Throws its validation_error.
 */
export function bodyValidator<T extends TSchema>(schema: T): (value: unknown) => Static<T> {
	bodies ??= ajvFor('body', []);
	const check = checkWith(bodies.compile(schema), 'body');
	return (value) => {
		const checked = check(value);
		if ('error' in checked) throw checked.error;
		return value;
	};
}
