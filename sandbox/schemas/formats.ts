import { Type, type SchemaOptions, type TSchema } from '@sinclair/typebox';

/**
 * A schema with a `title` stands under that name in the interface description, and everything that
 * contains it refers to it there (sandbox/http/description/namedSchemas.ts).
 */

/** One of a closed list of strings. */
export function oneOf<const T extends readonly string[]>(values: T, options: SchemaOptions = {}) {
	return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });
}

/** A value that may be null in answers. */
export function orNull<T extends TSchema>(schema: T, options: SchemaOptions = {}) {
	return Type.Union([schema, Type.Null()], options);
}

/** Unknown properties are rejected on all request bodies (docs/service.md section 2). */
export const closed = { additionalProperties: false } as const;

/** ISO 8601 UTC with milliseconds (docs/service.md section 1). */
export const timestamp = Type.String({
	title: 'Timestamp',
	description: 'ISO 8601 in UTC, with milliseconds.',
	pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
	examples: ['2026-11-21T09:30:00.000Z'],
});

/**
 * A moment in a request. RFC 3339, which the format checks, also knows the 61st second of a minute
 * and, in passing, short offsets: a Date holds neither.
 */
export const moment = Type.String({
	format: 'date-time',
	pattern: '^\\d{4}-\\d{2}-\\d{2}[Tt ]\\d{2}:\\d{2}:[0-5]\\d(\\.\\d+)?([Zz]|[+-]\\d{2}:\\d{2})$',
});

export function httpsUri(maxLength: number, description: string) {
	return Type.String({ format: 'uri', pattern: '^https://[^/?#]', maxLength, description });
}

export const email = Type.String({
	format: 'email',
	maxLength: 190,
	examples: ['ann@example.com'],
});

/** An identifier of one kind, as answers carry it. */
export function id(prefix: string) {
	return Type.String({ pattern: `^${prefix}_[0-9A-Za-z]+$` });
}

/** Seconds for which an embed link works when it is not told (docs/service.md section 8). */
export const EMBED_SECONDS = 900;
export const embedLifetime = Type.Integer({
	minimum: 60,
	maximum: 3600,
	default: EMBED_SECONDS,
	description: 'Seconds for which the link works.',
});
