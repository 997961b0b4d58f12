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

/** The values of hexadecimal digits, by character code. */
const NO_DIGIT = 16;
const DIGITS = new Uint8Array(256).fill(NO_DIGIT);
for (const digit of '0123456789abcdefABCDEF') DIGITS[digit.charCodeAt(0)] = parseInt(digit, 16);

/** A string as it stands in the file, with its brackets. */
export class PdfString {
	constructor(private readonly source: string) {}

	/** One character for each byte. */
	get bytes(): string {
		return this.source.startsWith('<') ? fromHex(this.source) : fromLiteral(this.source);
	}

	/** What a text string says (7.9.2.2). */
	get text(): string {
		const { bytes } = this;
		if (bytes.startsWith('\xfe\xff')) return fromUtf16(bytes.slice(2));
		if (bytes.startsWith('\xef\xbb\xbf')) return Buffer.from(bytes.slice(3), 'latin1').toString();
		return bytes;
	}
}

/** Of big-endian UTF-16, one character for each byte. */
export function fromUtf16(bytes: string): string {
	let text = '';
	for (let at = 0; at + 1 < bytes.length; at += 2)
		text += String.fromCharCode(bytes.charCodeAt(at) * 256 + bytes.charCodeAt(at + 1));
	return text;
}

function fromHex(source: string): string {
	let bytes = '';
	let held = NO_DIGIT;
	for (let at = 1; at < source.length - 1; at++) {
		const digit = DIGITS[source.charCodeAt(at)] ?? NO_DIGIT;
		if (digit === NO_DIGIT) continue;
		if (held === NO_DIGIT) {
			held = digit;
			continue;
		}
		bytes += String.fromCharCode(held * 16 + digit);
		held = NO_DIGIT;
	}
	// The last digit may be missing: it is 0.
	return held === NO_DIGIT ? bytes : bytes + String.fromCharCode(held * 16);
}

function fromLiteral(source: string): string {
	const inner = source.slice(1, -1);
	if (!inner.includes('\\') && !inner.includes('\r')) return inner;
	return inner.replace(ESCAPE, (_, sign?: string) => {
		if (sign === undefined) return '\n';
		if (/^[0-7]/.test(sign)) return String.fromCharCode(parseInt(sign, 8) & 255);
		return ESCAPES[sign] ?? sign;
	});
}
