import type { PdfString } from './pdfString';
import { ensure } from './source';

/** `12 0 R`. */
export class Reference {
	constructor(
		readonly number: number,
		readonly generation: number,
	) {}
}

/**
 * A number with a sign or a point. Whatever the structure of a file depends on is written without:
 * there, this is no number.
 */
export class Real {
	constructor(readonly value: number) {}
}

/** A stream (7.3.8). What it holds begins at `at`. */
export class Stream {
	constructor(
		readonly dictionary: Dictionary,
		readonly at: number,
	) {}
}

/** A boolean, or an entry that is there twice. */
export const OTHER = Symbol('other');

/** A name comes with its slash. */
export type Value =
	| number
	| string
	| null
	| typeof OTHER
	| Real
	| PdfString
	| Reference
	| Stream
	| Value[]
	| Dictionary;

/** Without entries that are null, which is the same (ISO 32000-1, 7.3.7). */
export type Dictionary = Map<string, Value>;

const WHOLE = /^\d{1,15}$/;

/** Some producers write --5 or 12-34: what is in front counts, as most readers have it. */
export function numberOf(text: string): number | Real {
	if (WHOLE.test(text)) return Number(text);
	return new Real(Number(text) || parseFloat(text.replace(/^([+-])[+-]+/, '$1')) || 0);
}

/** Any number, also one with a sign or a point; undefined for all else. */
export function numeric(value: Value | undefined): number | undefined {
	if (value instanceof Real) return value.value;
	return typeof value === 'number' ? value : undefined;
}

/** @throws Unreadable for an entry that is there and is no whole number written in place */
export function integer(dictionary: Dictionary, key: string): number | undefined {
	const value = dictionary.get(key);
	ensure(value === undefined || typeof value === 'number', 'An entry is not a whole number');
	return value;
}
