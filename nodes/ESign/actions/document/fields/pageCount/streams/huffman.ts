import { Unreadable, type Work } from '../work';

/** Codes of up to this length are looked up in one step. */
const QUICK_BITS = 9;

export const QUICK_MASK = (1 << QUICK_BITS) - 1;

/** A canonical Huffman code of RFC 1951, section 3.2.2. It can be set anew: a stream may have one for each few bytes. */
export class Huffman {
	/** For the next QUICK_BITS bits: the symbol and, in the lowest four bits, the length of its code; 0 for longer codes. */
	readonly quick = new Uint16Array(1 << QUICK_BITS);
	/** How many codes there are of each length. */
	private readonly counts = new Uint16Array(16);
	/** The symbols in the order of their codes. */
	private readonly symbols = new Uint16Array(320);
	/** For each length: where its symbols begin, and its first code. */
	private readonly places = new Uint16Array(16);
	private readonly codes = new Uint16Array(16);

	/**
	 * A code that is incomplete is taken: some distances need no code.
	 *
	 * @throws Unreadable for lengths that no code can have
	 */
	set(lengths: Uint8Array, work: Work): this {
		const { quick, counts, symbols, places, codes } = this;
		work.spend(lengths.length + quick.length / 2);
		quick.fill(0);
		counts.fill(0);
		for (let symbol = 0; symbol < lengths.length; symbol++) {
			const length = lengths[symbol] ?? 0;
			counts[length] = (counts[length] ?? 0) + 1;
		}
		counts[0] = 0;
		for (let length = 1, free = 1, place = 0, code = 0; length < 16; length++) {
			const count = counts[length] ?? 0;
			free = free * 2 - count;
			if (free < 0) throw new Unreadable('A compressed stream has a code that cannot be');
			places[length] = place;
			codes[length] = code;
			place += count;
			code = (code + count) << 1;
		}
		for (let symbol = 0; symbol < lengths.length; symbol++) {
			const length = lengths[symbol] ?? 0;
			if (length === 0) continue;
			const place = places[length] ?? 0;
			const code = codes[length] ?? 0;
			symbols[place] = symbol;
			places[length] = place + 1;
			codes[length] = code + 1;
			if (length > QUICK_BITS) continue;
			for (let entry = reversed(code, length); entry < quick.length; entry += 1 << length) {
				quick[entry] = (symbol << 4) | length;
			}
		}
		return this;
	}

	/** Symbol and length, as in `quick`, for a code that is not there; 0 if these bits are no code. */
	slow(bits: number): number {
		// Codes of one length are consecutive numbers: walk from length to length until the bits are one of them.
		for (let length = 1, code = 0, first = 0, place = 0; length < 16; length++) {
			code |= (bits >> (length - 1)) & 1;
			const count = this.counts[length] ?? 0;
			if (code - first < count) return ((this.symbols[place + code - first] ?? 0) << 4) | length;
			place += count;
			first = (first + count) << 1;
			code <<= 1;
		}
		return 0;
	}
}

/** The bits of a code arrive with the highest first, in bytes that are read from the lowest. */
function reversed(code: number, length: number): number {
	let result = 0;
	for (let bit = 0; bit < length; bit++) result |= ((code >> bit) & 1) << (length - 1 - bit);
	return result;
}
