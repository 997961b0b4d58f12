import { ensure, LONGEST_CONTENT, type Dictionary } from '../values';
import type { Count } from './decompress';

const CLEAR = 256;
const END = 257;
const FIRST_TEXT = 258;
const LONGEST_CODE = 12;

/** Undoes LZW (ISO 32000-1, 7.4.4.2). */
export async function fromLzw(
	packed: Buffer,
	count: Count,
	parameters: Dictionary,
): Promise<Buffer> {
	// Codes become longer one early, unless a file says otherwise.
	const early = parameters.integer('/EarlyChange') ?? 1;
	const bytes = Buffer.allocUnsafe(LONGEST_CONTENT);
	let length = 0;
	// Where what each code has shown begins. A code of a text stands for that, and the byte behind.
	const begins: number[] = [];
	let held = 0;
	let bits = 0;
	for (const byte of packed) {
		held = ((held << 8) | byte) & 0xffffff;
		bits += 8;
		const codes = FIRST_TEXT + begins.length - 1;
		const width = Math.min(LONGEST_CODE, 1 + Math.floor(Math.log2(codes + early)));
		if (bits < width) continue;
		bits -= width;
		const code = (held >> bits) & ((1 << width) - 1);
		if (code === END) break;
		ensure(code <= codes, 'A stream is damaged');
		if (code === CLEAR) begins.length = 0;
		else begins.push(length);
		const first = begins[code - FIRST_TEXT] ?? length;
		const last = begins[code - FIRST_TEXT + 1] ?? length;
		const end = code === CLEAR ? first : last + 1;
		const pause = count(1 + end - first);
		if (pause) await pause;
		// A code of a byte stands for itself. A text may reach into what is written here.
		bytes[length] = code;
		for (let from = first; from < end; from++) bytes[length++] = bytes[from] ?? 0;
	}
	return bytes.subarray(0, length);
}
