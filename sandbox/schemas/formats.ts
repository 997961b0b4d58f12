import { Type, type TSchema } from '@sinclair/typebox';

/** One of a closed list of strings. */
export function oneOf<const T extends readonly string[]>(values: T) {
	return Type.Unsafe<T[number]>({ type: 'string', enum: [...values] });
}

/** A value that may be null in answers. */
export function orNull<T extends TSchema>(schema: T) {
	return Type.Union([schema, Type.Null()]);
}

/** Unknown properties are rejected on all request bodies (docs/service.md section 2). */
export const closed = { additionalProperties: false } as const;

/** ISO 8601 UTC with milliseconds (docs/service.md section 1). */
export const timestamp = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' });

/**
 * A moment in a request. RFC 3339, which the format checks, also knows the 61st second of a minute and, in passing, short
 * offsets: a Date holds neither.
 */
export const moment = Type.String({
	format: 'date-time',
	pattern: '^\\d{4}-\\d{2}-\\d{2}[Tt ]\\d{2}:\\d{2}:[0-5]\\d(\\.\\d+)?([Zz]|[+-]\\d{2}:\\d{2})$',
});

export function httpsUri(maxLength: number) {
	return Type.String({ format: 'uri', pattern: '^https://[^/?#]', maxLength });
}

export const email = Type.String({ format: 'email', maxLength: 190 });

/** An identifier of one kind, as answers carry it. */
export function id(prefix: string) {
	return Type.String({ pattern: `^${prefix}_[0-9A-Za-z]+$` });
}

/** Seconds for which an embed link works when it is not told (docs/service.md section 8). */
export const EMBED_SECONDS = 900;
export const embedLifetime = Type.Integer({ minimum: 60, maximum: 3600, default: EMBED_SECONDS });
