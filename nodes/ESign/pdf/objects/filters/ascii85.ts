import type { Source } from '../source';

const FIRST_DIGIT = '!'.charCodeAt(0);
const STEPS_OF_DIGIT = 6;

/** In groups of five digits. */
const PIECE = 2_000;

/** Undoes ASCII85: five digits stand for four bytes, `z` for four zeros (ISO 32000-1, 7.4.3). */
export async function* fromAscii85(source: Source, packed: Buffer): AsyncGenerator<Buffer> {
	const [text = ''] = packed
		.toString('latin1')
		.replace(/^\s{0,9}<~/, '')
		.split('~', 1);
	const digits = text.replace(/[^!-z]+/g, '').replaceAll('z', '!!!!!');
	const missing = (5 - (digits.length % 5)) % 5;
	const groups = (digits + 'u'.repeat(missing)).match(/.{5}/g) ?? [];
	for (let from = 0; from < groups.length; from += PIECE) {
		const piece = groups.slice(from, from + PIECE);
		source.spend(STEPS_OF_DIGIT * 5 * piece.length);
		await source.pause();
		const bytes = Buffer.alloc(4 * piece.length);
		for (const [index, group] of piece.entries()) {
			let sum = 0;
			for (const digit of group) sum = sum * 85 + digit.charCodeAt(0) - FIRST_DIGIT;
			bytes.writeUInt32BE(sum % 2 ** 32, 4 * index);
		}
		const isLast = from + PIECE >= groups.length;
		yield bytes.subarray(0, bytes.length - (isLast ? missing : 0));
	}
}
