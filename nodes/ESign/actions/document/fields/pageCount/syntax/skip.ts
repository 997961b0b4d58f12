import {
	BACKSLASH,
	CLASS_OF,
	CR,
	GREATER,
	isDigit,
	isNumeric,
	LESS,
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

/** More digits than any number, offset or length of a file has. */
export const MOST_DIGITS = 15;

/**
 * Passes a value that is neither an array nor a dictionary; of a reference only its first number.
 *
 * @param end where the bytes end, or how far the work that is left reaches
 * @returns where it ends, or `malformed(at)` if what stands at `at` is not well formed
 */
export function endOfScalar(bytes: Uint8Array, at: number, end: number): number {
	const byte = at < end ? (bytes[at] ?? 0) : 0;
	if (byte === SLASH) return endOfName(bytes, at, end);
	if (byte === PAREN_OPEN) return endOfString(bytes, at, end);
	if (byte === LESS) return endOfHexString(bytes, at, end);
	if (isNumeric(byte)) return endOfNumber(bytes, at, end);
	for (const word of WORDS) {
		if (startsWith(bytes, at, word)) {
			return isRegular(bytes, at + word.length) ? malformed(at) : at + word.length;
		}
	}
	return malformed(at);
}

/** Passes white space and comments. */
export function endOfSpace(bytes: Uint8Array, from: number, end: number): number {
	let at = from;
	for (; at < end; at++) {
		const byte = bytes[at] ?? 0;
		if (byte === PERCENT) {
			while (at < end && bytes[at] !== LF && bytes[at] !== CR) at += 1;
		} else if (CLASS_OF[byte] !== SPACE) break;
	}
	return Math.min(at, end);
}

export function endOfNumber(bytes: Uint8Array, from: number, end: number): number {
	let at = from;
	while (at < end && isNumeric(bytes[at] ?? 0)) at += 1;
	return at;
}

export function isInteger(bytes: Uint8Array, from: number, end: number): boolean {
	if (end - from > MOST_DIGITS) return false;
	for (let at = from; at < end; at++) if (!isDigit(bytes[at] ?? 0)) return false;
	return true;
}

export function startsWith(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
	if (at + word.length > bytes.length) return false;
	for (let index = 0; index < word.length; index++) if (bytes[at + index] !== word[index]) return false;
	return true;
}

/** False at the end of the file. */
export function isRegular(bytes: Uint8Array, at: number): boolean {
	return at < bytes.length && CLASS_OF[bytes[at] ?? 0] === REGULAR;
}

export function endOfName(bytes: Uint8Array, from: number, end: number): number {
	let at = from + 1;
	while (at < end && CLASS_OF[bytes[at] ?? 0] === REGULAR) at += 1;
	return at;
}

function endOfString(bytes: Uint8Array, from: number, end: number): number {
	let depth = 0;
	for (let at = from; at < end; at++) {
		const byte = bytes[at];
		if (byte === BACKSLASH) at += 1;
		else if (byte === PAREN_OPEN) depth += 1;
		else if (byte === PAREN_CLOSE && --depth === 0) return at + 1;
	}
	return malformed(end);
}

function endOfHexString(bytes: Uint8Array, from: number, end: number): number {
	for (let at = from; at < end; at++) if (bytes[at] === GREATER) return at + 1;
	return malformed(end);
}

const WORDS = ['null', 'true', 'false'].map((word) => Buffer.from(word));
