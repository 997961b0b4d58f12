import { Unreadable, Work } from '../work';
import { DAMAGED, type Bits } from './bits';
import { Huffman } from './huffman';

/** The order in which the lengths of the code for code lengths come (RFC 1951, 3.2.7). */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** The two codes of a compressed block: for literals and lengths, and for distances. */
export class BlockCodes {
	readonly literals = new Huffman();
	readonly distances = new Huffman();
	private readonly lengthCode = new Huffman();
	private readonly codeLengths = new Uint8Array(320);

	/** Reads the codes that a block begins with (RFC 1951, 3.2.7). */
	read(bits: Bits, work: Work): void {
		const literalCount = bits.take(5) + 257;
		const distanceCount = bits.take(5) + 1;
		const count = bits.take(4) + 4;
		const all = this.codeLengths.subarray(0, literalCount + distanceCount);
		all.fill(0, 0, 19);
		for (let index = 0; index < count; index++) all[ORDER[index] ?? 0] = bits.take(3);
		this.lengthCode.set(all.subarray(0, 19), work);
		for (let index = 0; index < all.length;) {
			const symbol = bits.symbol(this.lengthCode);
			if (symbol < 16) {
				all[index++] = symbol;
				continue;
			}
			if (symbol === 16 && index === 0) throw new Unreadable(DAMAGED);
			const repeated = symbol === 16 ? (all[index - 1] ?? 0) : 0;
			const times = symbol === 16 ? 3 + bits.take(2) : symbol === 17 ? 3 + bits.take(3) : 11 + bits.take(7);
			if (index + times > all.length) throw new Unreadable(DAMAGED);
			all.fill(repeated, index, index + times);
			index += times;
		}
		this.literals.set(all.subarray(0, literalCount), work);
		this.distances.set(all.subarray(literalCount), work);
	}
}

let fixed: BlockCodes | undefined;

/** The codes of blocks that bring none (RFC 1951, 3.2.6). */
export function fixedCodes(): BlockCodes {
	if (fixed) return fixed;
	const free = new Work(Infinity);
	fixed = new BlockCodes();
	fixed.literals.set(new Uint8Array(288).fill(8).fill(9, 144, 256).fill(7, 256, 280), free);
	fixed.distances.set(new Uint8Array(30).fill(5), free);
	return fixed;
}
