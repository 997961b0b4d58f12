import type { Count } from './decompress';

const FIRST_DIGIT = '!'.charCodeAt(0);
const ZEROS = 'z'.charCodeAt(0);
const END = '~'.charCodeAt(0);

/** Undoes ASCII85: five digits stand for four bytes, `z` for four zeros (ISO 32000-1, 7.4.3). */
export async function fromAscii85(packed: Buffer, count: Count): Promise<Buffer> {
	// To fill so much with zeros would hold the loop. What is returned has all been written.
	const bytes = Buffer.allocUnsafe(4 * packed.length + 4);
	let length = 0;
	let digits: number[] = [];
	for (const byte of packed) {
		const pause = count(1, length);
		if (pause) await pause;
		const digit = byte - FIRST_DIGIT;
		// One digit alone is the beginning of <~, which some programs write.
		if (byte === END && digits.length !== 1) break;
		if (byte === END) digits = [];
		else if (byte === ZEROS) digits.push(0, 0, 0, 0, 0);
		else if (digit >= 0 && digit < 85) digits.push(digit);
		if (digits.length < 5) continue;
		length = bytes.writeUInt32BE(numberOf(digits.slice(0, 5)), length);
		digits = [];
	}
	bytes.writeUInt32BE(numberOf([...digits, 84, 84, 84, 84, 84].slice(0, 5)), length);
	return bytes.subarray(0, length + Math.max(0, digits.length - 1));
}

function numberOf(digits: readonly number[]): number {
	return digits.reduce((sum, digit) => sum * 85 + digit) % 2 ** 32;
}
