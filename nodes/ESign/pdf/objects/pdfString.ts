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

/** The last digit may be missing: it is 0. */
function fromHex(source: string): string {
	const digits = source.replace(/[^\dA-Fa-f]+/g, '');
	let bytes = '';
	for (let at = 0; at < digits.length; at += 2)
		bytes += String.fromCharCode(parseInt(digits.slice(at, at + 2).padEnd(2, '0'), 16));
	return bytes;
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

const OPEN = 40;
const CLOSE = 41;
const BACKSLASH = 92;

/** Where the string at `at` ends, with its brackets; 0 if it does not, or is too long. */
export function endOfString(text: string, at: number, longest: number): number {
	let open = 0;
	for (let end = at; end < at + longest; end++) {
		const code = text.charCodeAt(end);
		if (code === BACKSLASH) end += 1;
		else if (code === OPEN) open += 1;
		else if (code === CLOSE) open -= 1;
		if (open === 0) return end + 1;
	}
	return 0;
}
