import { Unreadable, Work } from '../work';
import { huffman, QUICK_BITS, type Huffman } from './huffman';

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

/**
 * Undoes FlateDecode (RFC 1950 and 1951) up to `most` bytes.
 *
 * Not with the DecompressionStream of Node.js: how that ends at the line end which many producers count into a stream
 * differs between versions of Node.js, and how much it has unpacked is known too late.
 *
 * @param whenFull what to do when there is more: `stop` and return so much, or `refuse`
 * @param scratch where to unpack, instead of into memory of its own; what was there is lost
 * @throws Unreadable for data that is damaged or incomplete
 */
export function inflate(
	input: Uint8Array,
	most: number,
	whenFull: 'stop' | 'refuse',
	work: Work,
	scratch?: Scratch,
): Uint8Array {
	const inflater = new Inflater(input, most, work, scratch);
	const isWhole = inflater.run();
	if (!isWhole && whenFull === 'refuse') throw new Unreadable('A compressed stream unpacks to too much');
	return inflater.output;
}

/** Memory that is used again and again: thousands of streams, one after the other, would leave more than they hold. */
export interface Scratch {
	buffer: Uint8Array;
}

class Inflater {
	private at = 2;
	private bits = 0;
	private bitCount = 0;
	private buffer: Uint8Array;
	private length = 0;

	constructor(
		private readonly input: Uint8Array,
		private readonly most: number,
		private readonly work: Work,
		private readonly scratch?: Scratch,
	) {
		this.buffer = scratch?.buffer ?? new Uint8Array(Math.min(most, input.length * 4 + 256));
		const [method = 0, flags = 0] = input;
		if ((method & 15) !== 8 || (method * 256 + flags) % 31 !== 0 || flags & 0x20) throw new Unreadable(DAMAGED);
	}

	get output(): Uint8Array {
		return this.buffer.subarray(0, this.length);
	}

	/** False if there is more than wanted. */
	run(): boolean {
		for (let isLast = false; !isLast;) {
			isLast = this.take(1) === 1;
			const kind = this.take(2);
			const before = this.length;
			const isWhole = kind === 0 ? this.storedBlock() : this.codedBlock(kind);
			// A byte is copied in less time than one is looked at.
			this.work.spend((this.length - before) / 2 + 1);
			if (!isWhole) return false;
		}
		this.checkSum();
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
		this.makeRoom(taken);
		this.buffer.set(this.input.subarray(from, from + taken), this.length);
		this.length += taken;
		this.at = from + size;
		return taken === size;
	}

	private codedBlock(kind: number): boolean {
		if (kind === 3) throw new Unreadable(DAMAGED);
		const { literals, distances } = kind === 1 ? fixedCodes() : this.readCodes();
		for (;;) {
			const symbol = this.symbol(literals);
			if (symbol === 256) return true;
			if (symbol < 256) {
				if (this.length === this.most) return false;
				if (this.length === this.buffer.length) this.makeRoom(1);
				this.buffer[this.length++] = symbol;
			} else if (!this.copy(symbol - 257, distances)) return false;
		}
	}

	/** Repeats what is `distance` bytes back. */
	private copy(lengthSymbol: number, distances: Huffman): boolean {
		const length = (LENGTHS[lengthSymbol] ?? Infinity) + this.take(LENGTH_BITS[lengthSymbol] ?? 0);
		const distanceSymbol = this.symbol(distances);
		const distance = (DISTANCES[distanceSymbol] ?? Infinity) + this.take(DISTANCE_BITS[distanceSymbol] ?? 0);
		if (distance > this.length || length > 258) throw new Unreadable(DAMAGED);
		const taken = Math.min(length, this.most - this.length);
		this.makeRoom(taken);
		const { buffer } = this;
		const end = this.length + taken;
		for (let to = this.length; to < end; to++) buffer[to] = buffer[to - distance] ?? 0;
		this.length = end;
		return taken === length;
	}

	private readCodes(): { literals: Huffman; distances: Huffman } {
		const literalCount = this.take(5) + 257;
		const distanceCount = this.take(5) + 1;
		const count = this.take(4) + 4;
		const lengths = new Uint8Array(19);
		for (const symbol of ORDER.slice(0, count)) lengths[symbol] = this.take(3);
		const code = this.code(lengths);
		const all = new Uint8Array(literalCount + distanceCount);
		for (let index = 0; index < all.length;) {
			const symbol = this.symbol(code);
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
		return {
			literals: this.code(all.subarray(0, literalCount)),
			distances: this.code(all.subarray(literalCount)),
		};
	}

	private code(lengths: Uint8Array): Huffman {
		const code = huffman(lengths, this.work);
		if (!code) throw new Unreadable(DAMAGED);
		return code;
	}

	private symbol({ quick, counts, symbols }: Huffman): number {
		while (this.bitCount < 15 && this.at < this.input.length) {
			this.bits |= (this.input[this.at++] ?? 0) << this.bitCount;
			this.bitCount += 8;
		}
		const entry = quick[this.bits & ((1 << QUICK_BITS) - 1)] ?? 0;
		if (entry !== 0) {
			this.drop(entry & 15);
			return entry >> 4;
		}
		// Codes of one length are consecutive numbers: walk from length to length until the bits are one of them.
		for (let length = 1, code = 0, first = 0, place = 0; length < 16; length++) {
			code |= (this.bits >> (length - 1)) & 1;
			const count = counts[length] ?? 0;
			if (code - first < count) {
				this.drop(length);
				return symbols[place + code - first] ?? 0;
			}
			place += count;
			first = (first + count) << 1;
			code <<= 1;
		}
		throw new Unreadable(DAMAGED);
	}

	private take(count: number): number {
		while (this.bitCount < count && this.at < this.input.length) {
			this.bits |= (this.input[this.at++] ?? 0) << this.bitCount;
			this.bitCount += 8;
		}
		const value = this.bits & ((1 << count) - 1);
		this.drop(count);
		return value;
	}

	private drop(count: number): void {
		if (count > this.bitCount) throw new Unreadable(DAMAGED);
		this.bits >>>= count;
		this.bitCount -= count;
	}

	private makeRoom(bytes: number): void {
		if (this.length + bytes <= this.buffer.length) return;
		const larger = new Uint8Array(Math.min(this.most, Math.max(this.buffer.length * 2, this.length + bytes)));
		larger.set(this.output);
		this.buffer = larger;
		if (this.scratch) this.scratch.buffer = larger;
	}

	/** Adler-32 over what came out (RFC 1950). Some producers cut it off; one that is there has to be right. */
	private checkSum(): void {
		const at = this.at - (this.bitCount >> 3);
		if (at + 4 > this.input.length) return;
		let low = 1;
		let high = 0;
		const { output } = this;
		for (let from = 0; from < output.length; from += 3_800) {
			const end = Math.min(from + 3_800, output.length);
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
	if (fixed) return fixed;
	const lengths = new Uint8Array(288).fill(8).fill(9, 144, 256).fill(7, 256, 280);
	const made = [huffman(lengths, new Work(Infinity)), huffman(new Uint8Array(30).fill(5), new Work(Infinity))];
	if (!made[0] || !made[1]) throw new Unreadable(DAMAGED);
	fixed = { literals: made[0], distances: made[1] };
	return fixed;
}
