import type { Count } from './decompress';

const FIRST_DIGIT = '!'.charCodeAt(0);
const ZEROS = 'z'.charCodeAt(0);
const END = '~'.charCodeAt(0);

/** Undoes ASCII85: five digits stand for four bytes, `z` for four zeros (ISO 32000-1, 7.4.3). */
export async function fromAscii85(packed: Buffer, count: Count): Promise<Buffer> {
	// To fill so much with zeros would hold the loop. What is returned has all been written.
	const bytes = Buffer.allocUnsafe(4 * packed.length + 4);
	let length = 0;
	let number = 0;
	let digits = 0;
	for (const byte of packed) {
		const digit = byte - FIRST_DIGIT;
		if (byte === END) {
			// One digit alone is the beginning of <~, which some programs write.
			if (digits !== 1) break;
			number = 0;
			digits = 0;
		} else if (byte === ZEROS) digits = 5;
		else if (digit >= 0 && digit < 85) {
			number = number * 85 + digit;
			digits += 1;
		}
		if (digits < 5) continue;
		await count(4);
		length = bytes.writeUInt32BE(number % 2 ** 32, length);
		number = 0;
		digits = 0;
	}
	for (let missing = digits; missing < 5; missing++) number = number * 85 + 84;
	bytes.writeUInt32BE(number % 2 ** 32, length);
	return bytes.subarray(0, length + Math.max(0, digits - 1));
}
