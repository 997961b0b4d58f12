import { ensure, type Source, type Value } from '../objects/values';

/** What is said of a range of codes. */
interface Range {
	last: number;
	/** Of all codes of the range, or a list with the value of each. */
	value: Value | undefined;
}

const MOST_CODES_IN_RANGE = 65_536;

/** What begins so many ranges is sorted before others get their turn. */
const MOST_CODES = 70_000;

/** A range that is kept takes memory: as long as so many characters take. */
const STEPS_OF_RANGE = 300;

/** Values for ranges of codes. */
export class Ranges {
	/** By the first code of each. */
	private readonly ranges = new Map<number, Range>();
	/** In order; undefined until they are looked through. Numbers alone are sorted at once. */
	private firsts: Float64Array | undefined;
	private codes = 0;

	constructor(private readonly source: Source) {}

	/** Passes a range that ends before it begins, or that is too long to be meant. */
	add(first: number, last: number, value: Value | undefined): void {
		const codes = last - first + 1;
		if (!(codes > 0 && codes <= MOST_CODES_IN_RANGE)) return;
		this.source.spend(STEPS_OF_RANGE);
		this.codes += codes;
		ensure(this.codes <= MOST_CODES, 'A font has too many codes');
		this.ranges.set(first, { last, value });
		this.firsts = undefined;
	}

	/**
	 * What is said of a code, or of one before it that is so far away. Of ranges that overlap, the
	 * one that begins last, or was added last, counts.
	 */
	find(code: number): [value: Value | undefined, offset: number] | undefined {
		this.firsts ??= Float64Array.from(this.ranges.keys()).sort();
		const firsts = this.firsts;
		let low = 0;
		let high = firsts.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((firsts[middle] ?? Infinity) <= code) low = middle + 1;
			else high = middle;
		}
		const first = firsts[low - 1] ?? NaN;
		const range = this.ranges.get(first);
		if (!range || code > range.last) return undefined;
		const { value } = range;
		const offset = code - first;
		return Array.isArray(value) ? [value[offset], 0] : [value, offset];
	}
}
