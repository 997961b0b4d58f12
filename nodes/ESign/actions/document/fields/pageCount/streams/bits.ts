import { Unreadable } from '../work';
import { QUICK_MASK, type Huffman } from './huffman';

export const DAMAGED = 'A compressed stream is damaged';

/** Takes the bits of a compressed stream, the lowest of each byte first (RFC 1951, section 3.1.1). */
export class Bits {
	/** Of the next byte that is not among `bits`. */
	at = 0;
	bits = 0;
	bitCount = 0;

	constructor(public input: Uint8Array) {}

	/** Goes on with another stream, at a byte of it. */
	begin(input: Uint8Array, at: number): void {
		this.input = input;
		this.at = at;
		this.bits = 0;
		this.bitCount = 0;
	}

	take(count: number): number {
		this.refill();
		const value = this.bits & ((1 << count) - 1);
		this.drop(count);
		return value;
	}

	symbol(code: Huffman): number {
		this.refill();
		const entry = code.quick[this.bits & QUICK_MASK] || code.slow(this.bits);
		if (entry === 0) throw new Unreadable(DAMAGED);
		this.drop(entry & 15);
		return entry >> 4;
	}

	/** Drops the rest of a byte of which a part was taken. */
	alignToByte(): void {
		this.begin(this.input, this.at - (this.bitCount >> 3));
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
}
