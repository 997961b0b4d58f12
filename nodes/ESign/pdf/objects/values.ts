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

export class PdfString {
	/** @param bytes one character for each */
	constructor(readonly bytes: string) {}

	/** What a text string says (7.9.2.2). */
	get text(): string {
		const { bytes } = this;
		if (bytes.startsWith('\xfe\xff')) return fromUtf16(bytes.slice(2));
		if (bytes.startsWith('\xef\xbb\xbf')) return Buffer.from(bytes.slice(3), 'latin1').toString();
		return bytes;
	}
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

/** Of big-endian UTF-16, one character for each byte. A byte that is left over says nothing. */
export function fromUtf16(bytes: string): string {
	const even = bytes.slice(0, bytes.length - (bytes.length % 2));
	return Buffer.from(even, 'latin1').swap16().toString('utf16le');
}

/**
 * Of hexadecimal digits, with their brackets. The last digit may be missing: it is 0. Node.js
 * leaves out a digit without a second one.
 */
export function fromHex(source: string): string {
	const digits = source.replace(/[^\dA-Fa-f]+/g, '');
	return Buffer.from(`${digits}0`, 'hex').toString('latin1');
}

/**
 * What stands for what in a string (ISO 32000-1, 7.3.4.2):
 *
 *     \n \r \t \b \f       the control character
 *     \( \) \\ \x          the sign itself
 *     \53 \053             the byte with this number
 *     \ and a line end     nothing: the line continues
 *     a line end           one line feed
 */
const ESCAPE = /\\([0-7]{1,3}|\r\n|[\s\S])|\r\n?/g;
const ESCAPES: Record<string, string> = {
	n: '\n',
	r: '\r',
	t: '\t',
	b: '\b',
	f: '\f',
	'\n': '',
	'\r': '',
	'\r\n': '',
};

/** Of what a string in round brackets holds. */
export function unescaped(source: string): string {
	if (!source.includes('\\') && !source.includes('\r')) return source;
	return source.replace(ESCAPE, (_, sign?: string) => {
		if (sign === undefined) return '\n';
		if (/^[0-7]/.test(sign)) return String.fromCharCode(parseInt(sign, 8) & 255);
		return ESCAPES[sign] ?? sign;
	});
}
