import { Unreadable, type Work } from '../work';
import { Bits, DAMAGED } from './bits';
import { BlockCodes, fixedCodes } from './blockCodes';
import { QUICK_MASK, type Huffman } from './huffman';

/** Base lengths and distances, and how many bits follow, by symbol (RFC 1951, 3.2.5). */
const LENGTHS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258]; // prettier-ignore
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCES = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577]; // prettier-ignore
const DISTANCE_BITS = [
	0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
];

/** A symbol is decoded, and a byte put, in the time of so many steps. */
const SYMBOL = 1;
const BYTE = 1 / 2;

/** After so many symbols the work is counted: a block may be as long as its stream. */
const COUNT_AFTER = 1_024;

/** Enough for nearly every stream. For a larger one there is room at once: memory that is not written to takes none. */
const USUAL = 64 * 1024;

/** The longest copy, which may run over what is wanted. */
const LONGEST_COPY = 258;

/**
 * Undoes FlateDecode (RFC 1950 and 1951), always in the same memory: thousands of streams, one after the other, would
 * leave more than they hold.
 *
 * Not with the DecompressionStream of Node.js: how that ends at the line end which many producers count into a stream
 * differs between versions of Node.js, and how much it has unpacked is known too late.
 */
export class Inflater {
	private buffer = new Uint8Array(0);
	private length = 0;

	private most = 0;
	private readonly bits = new Bits(this.buffer);

	/** Of the block that is read, if it has codes of its own. */
	private readonly ownCodes = new BlockCodes();

	constructor(
		/** The most bytes that any stream may unpack to. */
		private readonly largest: number,
		private readonly work: Work,
	) {}

	/**
	 * @param most bytes that are wanted
	 * @param whenFull what to do when there is more: `stop` and return so much, or `refuse`
	 * @returns what came out; it holds until the next stream is unpacked, and may be written to
	 * @throws Unreadable for data that is damaged or incomplete
	 */
	inflate(input: Uint8Array, most: number, whenFull: 'stop' | 'refuse'): Uint8Array {
		const [method = 0, flags = 0] = input;
		if ((method & 15) !== 8 || (method * 256 + flags) % 31 !== 0 || flags & 0x20) throw new Unreadable(DAMAGED);
		this.bits.begin(input, 2);
		this.most = Math.min(most, this.largest);
		this.length = 0;
		const isWhole = this.readBlocks();
		if (isWhole) this.checkSum();
		else if (whenFull === 'refuse') throw new Unreadable('A compressed stream unpacks to too much');
		return this.buffer.subarray(0, this.length);
	}

	/** False if there is more than wanted. */
	private readBlocks(): boolean {
		for (let isLast = false; !isLast;) {
			this.work.spend(16);
			isLast = this.bits.take(1) === 1;
			const kind = this.bits.take(2);
			if (kind === 3) throw new Unreadable(DAMAGED);
			if (kind === 2) this.ownCodes.read(this.bits, this.work);
			const { literals, distances } = kind === 1 ? fixedCodes() : this.ownCodes;
			if (!(kind === 0 ? this.storedBlock() : this.codedBlock(literals, distances))) return false;
		}
		return true;
	}

	private storedBlock(): boolean {
		this.bits.alignToByte();
		const { input, at } = this.bits;
		const size = (input[at] ?? 0) | ((input[at + 1] ?? 0) << 8);
		const check = (input[at + 2] ?? 0) | ((input[at + 3] ?? 0) << 8);
		const from = at + 4;
		if ((size ^ check) !== 0xffff || from + size > input.length) throw new Unreadable(DAMAGED);
		const taken = Math.min(size, this.most - this.length);
		this.work.spend(taken * BYTE);
		this.makeRoom(this.length + taken);
		this.buffer.set(input.subarray(from, from + taken), this.length);
		this.length += taken;
		this.bits.at = from + size;
		return taken === size;
	}

	/** Literals and copies of what is some bytes back. One loop on local variables: here the time goes. */
	private codedBlock(literals: Huffman, distances: Huffman): boolean {
		const { most } = this;
		const { input } = this.bits;
		let { at, bits, bitCount } = this.bits;
		let { length, buffer } = this;
		let symbols = 0;
		let counted = length;
		let isWhole = true;
		for (;;) {
			if (++symbols === COUNT_AFTER) {
				this.work.spend(symbols * SYMBOL + (length - counted) * BYTE);
				symbols = 0;
				counted = length;
			}
			for (; bitCount < 15 && at < input.length; bitCount += 8) bits |= (input[at++] ?? 0) << bitCount;
			const literal = literals.quick[bits & QUICK_MASK] || literals.slow(bits);
			bits >>>= literal & 15;
			bitCount -= literal & 15;
			if (literal === 0 || bitCount < 0) throw new Unreadable(DAMAGED);
			const symbol = literal >> 4;
			if (symbol === 256) break;
			if (length === most) {
				isWhole = false;
				break;
			}
			if (length + LONGEST_COPY > buffer.length) {
				this.length = length;
				this.makeRoom(length + LONGEST_COPY);
				({ buffer } = this);
			}
			if (symbol < 256) {
				buffer[length++] = symbol;
				continue;
			}
			for (; bitCount < 15 && at < input.length; bitCount += 8) bits |= (input[at++] ?? 0) << bitCount;
			const lengthBits = LENGTH_BITS[symbol - 257] ?? 0;
			const wanted = (LENGTHS[symbol - 257] ?? Infinity) + (bits & ((1 << lengthBits) - 1));
			bits >>>= lengthBits;
			bitCount -= lengthBits;
			for (; bitCount < 15 && at < input.length; bitCount += 8) bits |= (input[at++] ?? 0) << bitCount;
			const code = distances.quick[bits & QUICK_MASK] || distances.slow(bits);
			bits >>>= code & 15;
			bitCount -= code & 15;
			for (; bitCount < 15 && at < input.length; bitCount += 8) bits |= (input[at++] ?? 0) << bitCount;
			const distanceBits = DISTANCE_BITS[code >> 4] ?? 0;
			const distance = (DISTANCES[code >> 4] ?? Infinity) + (bits & ((1 << distanceBits) - 1));
			bits >>>= distanceBits;
			bitCount -= distanceBits;
			if (code === 0 || bitCount < 0 || distance > length || wanted > LONGEST_COPY) throw new Unreadable(DAMAGED);
			const end = Math.min(length + wanted, most);
			isWhole = end === length + wanted;
			for (; length < end; length++) buffer[length] = buffer[length - distance] ?? 0;
			if (!isWhole) break;
		}
		this.work.spend(symbols * SYMBOL + (length - counted) * BYTE);
		Object.assign(this.bits, { at, bits, bitCount });
		this.length = length;
		return isWhole;
	}

	/** Room for so many bytes. A buffer that grew often would leave a copy of what is in it each time. */
	private makeRoom(bytes: number): void {
		const before = this.buffer;
		if (bytes <= before.length) return;
		this.buffer = new Uint8Array(bytes <= USUAL ? USUAL : this.largest + LONGEST_COPY);
		this.buffer.set(before.subarray(0, this.length));
	}

	/** Adler-32 over what came out (RFC 1950). Some producers cut it off; one that is there has to be right. */
	private checkSum(): void {
		this.bits.alignToByte();
		const { input, at } = this.bits;
		if (at + 4 > input.length) return;
		let low = 1;
		let high = 0;
		const output = this.buffer;
		for (let from = 0; from < this.length; from += 3_800) {
			const end = Math.min(from + 3_800, this.length);
			for (let index = from; index < end; index++) {
				low += output[index] ?? 0;
				high += low;
			}
			low %= 65_521;
			high %= 65_521;
		}
		const [a = 0, b = 0, c = 0, d = 0] = input.subarray(at, at + 4);
		if (((a << 8) | b) !== high || ((c << 8) | d) !== low) throw new Unreadable(DAMAGED);
	}
}
