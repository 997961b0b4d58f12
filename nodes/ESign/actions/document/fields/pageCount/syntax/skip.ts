import {
	BACKSLASH,
	BRACKET_CLOSE,
	BRACKET_OPEN,
	CLASS_OF,
	CR,
	GREATER,
	isDigit,
	isNumeric,
	isSpace,
	LESS,
	LETTER_R,
	LF,
	PAREN_CLOSE,
	PAREN_OPEN,
	PERCENT,
	REGULAR,
	SLASH,
	SPACE,
} from './characters';

/** A place where a value is not well formed: below zero, so that no place of a value is like it. */
export const malformed = (at: number) => -1 - at;

/** No producer nests arrays and dictionaries this deep; readers that recurse would overflow at some depth. */
const DEEPEST = 100;

/** For each depth, whether what is around it is a dictionary. Only for `endOfCompound`, which does not call itself. */
const AROUND = new Uint8Array(DEEPEST);

/** More digits than any number, offset or length of a file has. */
const MOST_DIGITS = 15;

/**
 * Passes the array or dictionary that begins here (ISO 32000-1, 7.3). A file may consist of nothing but tokens, so this is
 * one loop that neither recurses nor makes an object for each of them.
 *
 * @returns where it ends, or `malformed(at)` if what stands at `at` is not well formed
 */
export function endOfCompound(bytes: Uint8Array, from: number): number {
	let at = from;
	let depth = 0;
	let inDictionary = false;
	let waitsForKey = false;
	/** How many whole numbers stand before this token: `R` makes a reference of two. */
	let integers = 0;
	for (;;) {
		let byte = bytes[at] ?? -1;
		if (isSpace(byte)) {
			at = endOfSpace(bytes, at);
			byte = bytes[at] ?? -1;
		}
		if (isDigit(byte)) {
			const end = endOfNumber(bytes, at);
			const isWhole = isInteger(bytes, at, end);
			// In the place of a key a number can only be the second one of a reference.
			if (waitsForKey && (integers !== 1 || !isWhole)) return malformed(at);
			integers = isWhole ? integers + 1 : 0;
			at = end;
		} else if (byte === LETTER_R) {
			if (integers < 2 || isRegular(bytes, at + 1)) return malformed(at);
			integers = 0;
			at += 1;
		} else {
			if (waitsForKey && integers === 2) return malformed(at);
			integers = 0;
			const closes = inDictionary
				? waitsForKey && byte === GREATER && bytes[at + 1] === GREATER
				: byte === BRACKET_CLOSE;
			if (closes && depth > 0) {
				at += inDictionary ? 2 : 1;
				if (--depth === 0) return at;
				inDictionary = AROUND[depth] === 1;
			} else if (waitsForKey) {
				if (byte !== SLASH) return malformed(at);
				at = endOfName(bytes, at);
				waitsForKey = false;
				continue;
			} else if (byte === BRACKET_OPEN || (byte === LESS && bytes[at + 1] === LESS)) {
				if (depth === DEEPEST) return malformed(at);
				AROUND[depth++] = inDictionary ? 1 : 0;
				inDictionary = byte === LESS;
				at += inDictionary ? 2 : 1;
			} else {
				at = endOfScalar(bytes, at);
				if (at < 0) return at;
			}
		}
		waitsForKey = inDictionary;
	}
}

/** The same for a value that is neither an array nor a dictionary; of a reference only its first number. */
export function endOfScalar(bytes: Uint8Array, at: number): number {
	const byte = bytes[at] ?? -1;
	if (byte === SLASH) return endOfName(bytes, at);
	if (byte === PAREN_OPEN) return endOfString(bytes, at);
	if (byte === LESS) return endOfHexString(bytes, at);
	if (isNumeric(byte)) return endOfNumber(bytes, at);
	for (const word of WORDS) {
		if (startsWith(bytes, at, word)) {
			return isRegular(bytes, at + word.length) ? malformed(at) : at + word.length;
		}
	}
	return malformed(at);
}

/** Passes white space and comments. */
export function endOfSpace(bytes: Uint8Array, from: number): number {
	let at = from;
	for (; at < bytes.length; at++) {
		const byte = bytes[at] ?? 0;
		if (byte === PERCENT) {
			while (at < bytes.length && bytes[at] !== LF && bytes[at] !== CR) at += 1;
		} else if (CLASS_OF[byte] !== SPACE) break;
	}
	return Math.min(at, bytes.length);
}

export function endOfNumber(bytes: Uint8Array, from: number): number {
	let at = from;
	while (at < bytes.length && isNumeric(bytes[at] ?? 0)) at += 1;
	return at;
}

export function isInteger(bytes: Uint8Array, from: number, end: number): boolean {
	if (end - from > MOST_DIGITS) return false;
	for (let at = from; at < end; at++) if (!isDigit(bytes[at] ?? 0)) return false;
	return true;
}

export function startsWith(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
	for (let index = 0; index < word.length; index++) if (bytes[at + index] !== word[index]) return false;
	return true;
}

/** False at the end of the file. */
export function isRegular(bytes: Uint8Array, at: number): boolean {
	return at < bytes.length && CLASS_OF[bytes[at] ?? 0] === REGULAR;
}

function endOfName(bytes: Uint8Array, from: number): number {
	let at = from + 1;
	while (isRegular(bytes, at)) at += 1;
	return at;
}

function endOfString(bytes: Uint8Array, from: number): number {
	let depth = 0;
	for (let at = from; at < bytes.length; at++) {
		const byte = bytes[at];
		if (byte === BACKSLASH) at += 1;
		else if (byte === PAREN_OPEN) depth += 1;
		else if (byte === PAREN_CLOSE && --depth === 0) return at + 1;
	}
	return malformed(bytes.length);
}

function endOfHexString(bytes: Uint8Array, from: number): number {
	for (let at = from; at < bytes.length; at++) if (bytes[at] === GREATER) return at + 1;
	return malformed(bytes.length);
}

const WORDS = ['null', 'true', 'false'].map((word) => Buffer.from(word));
