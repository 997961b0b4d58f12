/** The classes of bytes that PDF source is made of (ISO 32000-1, 7.2.2). */
export const REGULAR = 0;
export const SPACE = 1;
export const DELIMITER = 2;

export const CLASS_OF: Uint8Array = (() => {
	const classes = new Uint8Array(256);
	for (const byte of Buffer.from('\0\t\n\f\r ', 'latin1')) classes[byte] = SPACE;
	for (const byte of Buffer.from('()<>[]{}/%', 'latin1')) classes[byte] = DELIMITER;
	return classes;
})();

export const LF = 0x0a;
export const CR = 0x0d;
export const HASH = 0x23;
export const PERCENT = 0x25;
export const PAREN_OPEN = 0x28;
export const PAREN_CLOSE = 0x29;
export const SLASH = 0x2f;
export const LESS = 0x3c;
export const GREATER = 0x3e;
export const BRACKET_OPEN = 0x5b;
export const BACKSLASH = 0x5c;
export const BRACKET_CLOSE = 0x5d;
export const LETTER_R = 0x52;
export const LETTER_F = 0x66;
export const LETTER_N = 0x6e;

export function isDigit(byte: number): boolean {
	return byte >= 0x30 && byte <= 0x39;
}

/** A byte that a number may begin with, or consist of. */
export function isNumeric(byte: number): boolean {
	return isDigit(byte) || byte === 0x2b || byte === 0x2d || byte === 0x2e;
}

/** True where white space or a comment begins. */
export function isSpace(byte: number): boolean {
	return CLASS_OF[byte] === SPACE || byte === PERCENT;
}
