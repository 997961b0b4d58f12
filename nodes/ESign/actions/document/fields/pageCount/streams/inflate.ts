import { Unreadable, Work } from '../work';
import { Huffman, QUICK_MASK } from './huffman';

/** Base lengths and distances, and how many bits follow, by symbol (RFC 1951, 3.2.5). */
const LENGTHS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258]; // prettier-ignore
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCES = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577]; // prettier-ignore
const DISTANCE_BITS = [
	0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
];

/** The order in which the lengths of the code for code lengths come (RFC 1951, 3.2.7). */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

const DAMAGED = 'A compressed stream is damaged';

/** A symbol is decoded, and a byte put, in the time of so many steps. */
const SYMBOL = 1;
const BYTE = 1 / 2;

/** After so many symbols the work is counted: a block may be as long as its stream. */
const COUNT_AFTER = 1_024;

/** The buffer grows in few strides, as each leaves the one before behind. Memory that is not written to takes no room. */
const FIRST_BUFFER = 64 * 1024;
const LAST_STRIDE = 1024 * 1024;

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

	private input: Uint8Array = this.buffer;
	private most = 0;
	private at = 0;
	private bits = 0;
	private bitCount = 0;

	private readonly lengthCode = new Huffman();
	/** Of the block that is read, if it has codes of its own. */
	private readonly ownCodes = { literals: new Huffman(), distances: new Huffman() };
	private readonly codeLengths = new Uint8Array(320);

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
		this.input = input;
		this.most = Math.min(most, this.largest);
		this.at = 2;
		this.bits = 0;
		this.bitCount = 0;
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
			isLast = this.take(1) === 1;
			const kind = this.take(2);
			if (kind === 3) throw new Unreadable(DAMAGED);
			if (kind === 2) this.readCodes();
			const { literals, distances } = kind === 1 ? fixedCodes() : this.ownCodes;
			if (!(kind === 0 ? this.storedBlock() : this.codedBlock(literals, distances))) return false;
		}
		return true;
	}

	private storedBlock(): boolean {
		this.at -= this.bitCount >> 3;
		this.bits = 0;
		this.bitCount = 0;
		const size = (this.input[this.at] ?? 0) | ((this.input[this.at + 1] ?? 0) << 8);
		const check = (this.input[this.at + 2] ?? 0) | ((this.input[this.at + 3] ?? 0) << 8);
		const from = this.at + 4;
		if ((size ^ check) !== 0xffff || from + size > this.input.length) throw new Unreadable(DAMAGED);
		const taken = Math.min(size, this.most - this.length);
		this.work.spend(taken * BYTE);
		this.makeRoom(this.length + taken);
		this.buffer.set(this.input.subarray(from, from + taken), this.length);
		this.length += taken;
		this.at = from + size;
		return taken === size;
	}

	/** Literals and copies of what is some bytes back. One loop on local variables: here the time goes. */
	private codedBlock(literals: Huffman, distances: Huffman): boolean {
		const { input, most } = this;
		let { at, bits, bitCount, length, buffer } = this;
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
			if (length + 258 > buffer.length) {
				this.length = length;
				this.makeRoom(length + 258);
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
			if (code === 0 || bitCount < 0 || distance > length || wanted > 258) throw new Unreadable(DAMAGED);
			const end = Math.min(length + wanted, most);
			isWhole = end === length + wanted;
			for (; length < end; length++) buffer[length] = buffer[length - distance] ?? 0;
			if (!isWhole) break;
		}
		this.work.spend(symbols * SYMBOL + (length - counted) * BYTE);
		Object.assign(this, { at, bits, bitCount, length });
		return isWhole;
	}

	private readCodes(): void {
		const literalCount = this.take(5) + 257;
		const distanceCount = this.take(5) + 1;
		const count = this.take(4) + 4;
		const all = this.codeLengths.subarray(0, literalCount + distanceCount);
		all.fill(0, 0, 19);
		for (let index = 0; index < count; index++) all[ORDER[index] ?? 0] = this.take(3);
		this.lengthCode.set(all.subarray(0, 19), this.work);
		for (let index = 0; index < all.length;) {
			const symbol = this.symbol(this.lengthCode);
			if (symbol < 16) {
				all[index++] = symbol;
				continue;
			}
			if (symbol === 16 && index === 0) throw new Unreadable(DAMAGED);
			const repeated = symbol === 16 ? (all[index - 1] ?? 0) : 0;
			const times = symbol === 16 ? 3 + this.take(2) : symbol === 17 ? 3 + this.take(3) : 11 + this.take(7);
			if (index + times > all.length) throw new Unreadable(DAMAGED);
			all.fill(repeated, index, index + times);
			index += times;
		}
		this.ownCodes.literals.set(all.subarray(0, literalCount), this.work);
		this.ownCodes.distances.set(all.subarray(literalCount), this.work);
	}

	private symbol(code: Huffman): number {
		this.refill();
		const entry = code.quick[this.bits & QUICK_MASK] || code.slow(this.bits);
		if (entry === 0) throw new Unreadable(DAMAGED);
		this.drop(entry & 15);
		return entry >> 4;
	}

	private take(count: number): number {
		this.refill();
		const value = this.bits & ((1 << count) - 1);
		this.drop(count);
		return value;
	}

	private refill(): void {
		while (this.bitCount < 15 && this.at < this.input.length) {
			this.bits |= (this.input[this.at++] ?? 0) << this.bitCount;
			this.bitCount += 8;
		}
	}

	private drop(count: number): void {
		if (count > this.bitCount) throw new Unreadable(DAMAGED);
		this.bits >>>= count;
		this.bitCount -= count;
	}

	/** Room for so many bytes, and for a copy that runs over what is wanted. */
	private makeRoom(bytes: number): void {
		const before = this.buffer;
		if (bytes <= before.length) return;
		const larger = Math.max(bytes, before.length < LAST_STRIDE ? before.length * 4 : this.largest, FIRST_BUFFER);
		this.buffer = new Uint8Array(Math.min(larger, this.largest + 258));
		this.buffer.set(before.subarray(0, this.length));
	}

	/** Adler-32 over what came out (RFC 1950). Some producers cut it off; one that is there has to be right. */
	private checkSum(): void {
		const at = this.at - (this.bitCount >> 3);
		if (at + 4 > this.input.length) return;
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
		const [a = 0, b = 0, c = 0, d = 0] = this.input.subarray(at, at + 4);
		if (((a << 8) | b) !== high || ((c << 8) | d) !== low) throw new Unreadable(DAMAGED);
	}
}

let fixed: { literals: Huffman; distances: Huffman } | undefined;

/** The codes of blocks of kind 1 (RFC 1951, 3.2.6). */
function fixedCodes(): { literals: Huffman; distances: Huffman } {
	const free = new Work(Infinity);
	fixed ??= {
		literals: new Huffman().set(new Uint8Array(288).fill(8).fill(9, 144, 256).fill(7, 256, 280), free),
		distances: new Huffman().set(new Uint8Array(30).fill(5), free),
	};
	return fixed;
}
