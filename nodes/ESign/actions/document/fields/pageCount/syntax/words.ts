import { HASH } from './characters';

/** The entries of dictionaries that count here: of trailers, catalogs, page tree nodes and streams. */
export const KEYS = [
	'Type',
	'Root',
	'Prev',
	'XRefStm',
	'Encrypt',
	'Pages',
	'Kids',
	'Count',
	'Size',
	'W',
	'Index',
	'N',
	'First',
	'Length',
	'Filter',
	'DecodeParms',
	'F',
	'Predictor',
	'Colors',
	'BitsPerComponent',
	'Columns',
] as const;

export type Key = (typeof KEYS)[number];

/** The names that count as values. */
const NAMES = ['Catalog', 'Page', 'ObjStm', 'XRef', 'FlateDecode'];

/** No escaped name that counts is longer: three bytes for each of its own. */
const LONGEST = 3 * 16;

/** Begins a name that is written in a way that readers do not agree on. */
export const AMBIGUOUS = '\0';

const BY_HASH = new Map([...KEYS, ...NAMES].map((name) => [hashOf(name), name]));

/** The word that these bytes are; empty if it is none that counts. A file has many names, of which few do. */
export function word(hash: number, bytes: Uint8Array, from: number, end: number): string {
	const found = BY_HASH.get(hash);
	if (found?.length !== end - from) return '';
	for (let index = 0; index < found.length; index++) {
		if (found.charCodeAt(index) !== bytes[from + index]) return '';
	}
	return found;
}

/** A name without its escapes. Only for `escapedWord`, which does not call itself: a file may have one for each few bytes. */
const UNESCAPED = new Uint8Array(LONGEST);

/** The same for a name with escapes (ISO 32000-1, 7.3.5). Readers differ on small letters in them. */
export function escapedWord(bytes: Uint8Array, from: number, end: number): string {
	if (end - from > LONGEST) return '';
	let length = 0;
	let hash = 0;
	let isAmbiguous = false;
	for (let at = from; at < end; at++) {
		let byte = bytes[at] ?? 0;
		if (byte === HASH) {
			const high = at + 1 < end ? (HEX_DIGITS[bytes[at + 1] ?? 0] ?? NO_DIGIT) : NO_DIGIT;
			const low = at + 2 < end ? (HEX_DIGITS[bytes[at + 2] ?? 0] ?? NO_DIGIT) : NO_DIGIT;
			isAmbiguous ||= high >= 16 || low >= 16;
			if (high < NO_DIGIT && low < NO_DIGIT) {
				byte = (high % 16) * 16 + (low % 16);
				at += 2;
			}
		}
		UNESCAPED[length++] = byte;
		hash = (hash * 31 + byte) | 0;
	}
	const found = word(hash, UNESCAPED, 0, length);
	return found && isAmbiguous ? `${AMBIGUOUS}${found}` : found;
}

const NO_DIGIT = 32;

/** What digits of escapes stand for; for small letters 16 more. */
const HEX_DIGITS: Uint8Array = (() => {
	const values = new Uint8Array(256).fill(NO_DIGIT);
	for (let value = 0; value < 16; value++) {
		values[value.toString(16).charCodeAt(0)] = value < 10 ? value : value + 16;
		values[value.toString(16).toUpperCase().charCodeAt(0)] = value;
	}
	return values;
})();

function hashOf(name: string): number {
	let hash = 0;
	for (let index = 0; index < name.length; index++) hash = (hash * 31 + name.charCodeAt(index)) | 0;
	return hash;
}
