import type { Source } from '../source';
import { PdfString } from '../pdfString';

const STEPS_OF_DIGIT = 6;

/** In digits: a multiple of both sizes of groups. */
const PIECE = 10_000;

export async function* fromAsciiHex(source: Source, packed: Buffer): AsyncGenerator<Buffer> {
	const digits = digitsOf(packed, '>');
	for (let from = 0; from < digits.length; from += PIECE) {
		const piece = await nextPiece(source, digits, from);
		yield Buffer.from(new PdfString(`<${piece}>`).bytes, 'latin1');
	}
}

/** Five digits to the base 85 stand for four bytes, `z` for four zeros (ISO 32000-1, 7.4.3). */
export async function* fromAscii85(source: Source, packed: Buffer): AsyncGenerator<Buffer> {
	const digits = digitsOf(packed, '~').replaceAll('z', '!!!!!');
	for (let from = 0; from < digits.length; from += PIECE) {
		const piece = await nextPiece(source, digits, from);
		const missing = (5 - (piece.length % 5)) % 5;
		const whole = piece + 'u'.repeat(missing);
		const bytes = Buffer.alloc((whole.length / 5) * 4);
		for (let group = 0; group < whole.length; group += 5) {
			let sum = 0;
			for (let digit = group; digit < group + 5; digit++)
				sum = sum * 85 + whole.charCodeAt(digit) - FIRST_DIGIT;
			bytes.writeUInt32BE(sum % 2 ** 32, (group / 5) * 4);
		}
		yield bytes.subarray(0, bytes.length - missing);
	}
}

const FIRST_DIGIT = '!'.charCodeAt(0);

/** White space may be anywhere. Some writers begin with a mark, and not all of them end with one. */
function digitsOf(packed: Buffer, end: string): string {
	const [text = ''] = packed
		.toString('latin1')
		.replace(/^[\0\t\n\f\r ]*<~/, '')
		.split(end, 1);
	return text.replace(/[^!-z]+/g, '');
}

async function nextPiece(source: Source, digits: string, from: number): Promise<string> {
	source.spend(STEPS_OF_DIGIT * PIECE);
	await source.pause();
	return digits.slice(from, from + PIECE);
}
