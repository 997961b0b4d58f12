import { randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Letters and digits that cannot be guessed. */
export function randomText(length: number): string {
	let text = '';
	while (text.length < length) text += ALPHABET[randomInt(ALPHABET.length)];
	return text;
}

/** The kinds of docs/service.md section 1. */
export type IdPrefix =
	'doc' | 'rcp' | 'tpl' | 'file' | 'fld' | 'whk' | 'dlv' | 'evt' | 'lnk' | 'org' | 'ph';

export function newId(prefix: IdPrefix): string {
	return `${prefix}_${randomText(22)}`;
}
