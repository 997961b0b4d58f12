import type { Source } from '../source';

const FIRST_DIGIT = '!'.charCodeAt(0);
const STEPS_OF_DIGIT = 6;

/** In bytes. */
const PIECE = 8 * 1024;

/** Undoes ASCII85: five digits stand for four bytes, `z` for four zeros (ISO 32000-1, 7.4.3). */
export async function fromAscii85(source: Source, packed: Buffer): Promise<Buffer> {
	const mark = packed.indexOf('~', 2);
	const end = mark < 0 ? packed.length : mark;
	const unpacked: Buffer[] = [];
	let digits = '';
	for (let from = 0; from < end; from += PIECE) {
		const text = packed.toString('latin1', from, Math.min(end, from + PIECE));
		digits += text
			.replace('<~', '')
			.replace(/[^!-z]+/g, '')
			.replaceAll('z', '!!!!!');
		source.spend(STEPS_OF_DIGIT * digits.length);
		await source.pause();
		const whole = digits.length - (digits.length % 5);
		unpacked.push(bytesOf(digits.slice(0, whole)));
		digits = digits.slice(whole);
	}
	const last = bytesOf(digits.padEnd(5, 'u')).subarray(0, Math.max(0, digits.length - 1));
	return Buffer.concat([...unpacked, last]);
}

/** @param digits in groups of five */
function bytesOf(digits: string): Buffer {
	const bytes = Buffer.alloc((digits.length / 5) * 4);
	for (let group = 0; group * 5 < digits.length; group++) {
		let sum = 0;
		for (let at = group * 5; at < group * 5 + 5; at++)
			sum = sum * 85 + digits.charCodeAt(at) - FIRST_DIGIT;
		bytes.writeUInt32BE(sum % 2 ** 32, group * 4);
	}
	return bytes;
}
