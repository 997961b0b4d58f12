import { ensure } from '../source';
import { integer, type Dictionary } from '../values';
import type { Count } from './decompress';

const CLEAR = 256;
const END = 257;
const NOTHING = Buffer.of();
const SINGLE_BYTES = Array.from({ length: 256 }, (_, byte) => Buffer.of(byte));
const FIRST_CODES = [...SINGLE_BYTES, NOTHING, NOTHING];
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
	const codes = [...FIRST_CODES];
	let last = NOTHING;
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
		// What a code adds is an earlier text and the first byte of its own, which may be the same.
		if (code === CLEAR) codes.length = FIRST_CODES.length;
		else if (last !== NOTHING && codes.length < MOST_CODES)
			codes.push(Buffer.concat([last, (codes[code] ?? last).subarray(0, 1)]));
		const text = codes[code];
		ensure(text, 'A stream is damaged');
		output.push(text);
		last = text;
		total += text.length;
		const pause = count(1 + text.length, total);
		if (pause) await pause;
	}
	return Buffer.concat(output);
}
