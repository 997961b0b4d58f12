import type { Work } from '../work';

/** Codes of up to this length are looked up in one step. */
export const QUICK_BITS = 9;

/** A canonical Huffman code of RFC 1951, section 3.2.2. */
export interface Huffman {
	/** For the next QUICK_BITS bits: the symbol and, in the lowest four bits, the length of its code; 0 for longer codes. */
	quick: Uint16Array;
	/** How many codes there are of each length. */
	counts: Uint16Array;
	/** The symbols in the order of their codes. */
	symbols: Uint16Array;
}

/** Undefined for lengths that no code can have. A code that is incomplete is taken: some distances need no code. */
export function huffman(lengths: Uint8Array, work: Work): Huffman | undefined {
	work.spend(lengths.length + (1 << QUICK_BITS) / 4);
	const counts = new Uint16Array(16);
	for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1;
	counts[0] = 0;
	/** For each length: where its symbols begin, and its first code. */
	const places = new Uint16Array(16);
	const codes = new Uint16Array(16);
	for (let length = 1, free = 1, place = 0, code = 0; length < 16; length++) {
		const count = counts[length] ?? 0;
		free = free * 2 - count;
		if (free < 0) return undefined;
		places[length] = place;
		codes[length] = code;
		place += count;
		code = (code + count) << 1;
	}
	const symbols = new Uint16Array(lengths.length);
	const quick = new Uint16Array(1 << QUICK_BITS);
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
	return { quick, counts, symbols };
}

/** The bits of a code arrive with the highest first, in bytes that are read from the lowest. */
function reversed(code: number, length: number): number {
	let result = 0;
	for (let bit = 0; bit < length; bit++) result |= ((code >> bit) & 1) << (length - 1 - bit);
	return result;
}
