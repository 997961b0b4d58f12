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

/** The same for a name with escapes (ISO 32000-1, 7.3.5). Readers differ on small letters in them. */
export function escapedWord(bytes: Uint8Array): string {
	if (bytes.length > LONGEST) return '';
	const written = String.fromCharCode(...bytes);
	const name = written.replace(/#([\dA-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
	if (BY_HASH.get(hashOf(name)) !== name) return '';
	return /#(?![\dA-F]{2})/.test(written) ? `${AMBIGUOUS}${name}` : name;
}

function hashOf(name: string): number {
	let hash = 0;
	for (let index = 0; index < name.length; index++) hash = (hash * 31 + name.charCodeAt(index)) | 0;
	return hash;
}
