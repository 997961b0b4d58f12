import { Unreadable } from '../source';
import { integer, type Dictionary } from '../values';
import type { Count } from './decompress';

const CLEAR = 256;
const END = 257;
const SINGLE_BYTES = Array.from({ length: 258 }, (_, code) => Buffer.of(code & 255));
const MOST_CODES = 4096;
const LONGEST_CODE = 12;

/** Undoes LZW (ISO 32000-1, 7.4.4.2). */
export async function fromLzw(
	packed: Buffer,
	count: Count,
	parameters: Dictionary,
): Promise<Buffer> {
	// Codes become longer one early, unless a file says otherwise.
	const early = integer(parameters, '/EarlyChange') ?? 1;
	const codes = [...SINGLE_BYTES];
	let last: Buffer | undefined;
	const output: Buffer[] = [];
	let total = 0;
	let held = 0;
	let bits = 0;
	for (const byte of packed) {
		held = ((held << 8) | byte) & 0xffffff;
		bits += 8;
		const width = Math.min(LONGEST_CODE, 1 + Math.floor(Math.log2(codes.length + early)));
		if (bits < width) continue;
		bits -= width;
		const code = (held >> bits) & ((1 << width) - 1);
		if (code === END) break;
		if (code === CLEAR) {
			codes.length = SINGLE_BYTES.length;
			last = undefined;
			const pause = count(1, total);
			if (pause) await pause;
			continue;
		}
		// What a code adds is an earlier text and the first byte of its own, which may be the same.
		if (last && codes.length < MOST_CODES)
			codes.push(Buffer.concat([last, (codes[code] ?? last).subarray(0, 1)]));
		last = codes[code];
		if (!last) throw new Unreadable('A stream is damaged');
		output.push(last);
		total += last.length;
		const pause = count(last.length, total);
		if (pause) await pause;
	}
	return Buffer.concat(output);
}
