import { Unreadable, type Source } from '../source';
import { integer, type Value } from '../values';

const CLEAR = 256;
const END = 257;
const SINGLE_BYTES = Array.from({ length: 258 }, (_, code) => Buffer.of(code & 255));
const MOST_CODES = 4096;
const PIECE = 16 * 1024;

/** A byte that is unpacked takes as long as so many characters. */
const STEPS_OF_BYTE = 4;

/** Undoes LZW (ISO 32000-1, 7.4.4.2). */
export async function* fromLzw(
	source: Source,
	packed: Buffer,
	parameters: Value | undefined,
): AsyncGenerator<Buffer> {
	const isEarly = parameters instanceof Map ? integer(parameters, '/EarlyChange') !== 0 : true;
	const codes = new Codes(isEarly ? 1 : 0);
	let output: Buffer[] = [];
	let length = 0;
	for (const byte of packed) {
		const code = codes.next(byte);
		if (code === END) break;
		if (code === undefined) continue;
		const bytes = codes.bytesOf(code);
		source.spend(STEPS_OF_BYTE * (4 + bytes.length));
		output.push(bytes);
		length += bytes.length;
		if (length < PIECE) continue;
		await source.pause();
		yield Buffer.concat(output);
		output = [];
		length = 0;
	}
	yield Buffer.concat(output);
}

/** What codes stand for: the bytes of an earlier one, and one byte more. */
class Codes {
	private known = [...SINGLE_BYTES];
	private last: Buffer | undefined;
	private bits = 0;
	private held = 0;

	/** @param early how many codes early their length grows */
	constructor(private readonly early: number) {}

	/** The code that ends in this byte. */
	next(byte: number): number | undefined {
		this.held = ((this.held << 8) | byte) & 0xffffff;
		this.bits += 8;
		const width = Math.min(12, 1 + Math.floor(Math.log2(this.known.length + this.early)));
		if (this.bits < width) return undefined;
		this.bits -= width;
		return (this.held >> this.bits) & ((1 << width) - 1);
	}

	bytesOf(code: number): Buffer {
		if (code === CLEAR) {
			this.known = [...SINGLE_BYTES];
			this.last = undefined;
			return Buffer.alloc(0);
		}
		const { known, last } = this;
		if (last && known.length < MOST_CODES) {
			// A code may stand for what it is about to add.
			const next = known[code] ?? last;
			known.push(Buffer.concat([last, next.subarray(0, 1)]));
		}
		this.last = known[code];
		if (!this.last) throw new Unreadable('A stream is damaged');
		return this.last;
	}
}
