import { ensure } from '../objects/source';
import type { Value } from '../objects/values';

interface Range {
	first: number;
	last: number;
	/** Of all codes of the range, or a list with the value of each. */
	value: Value | undefined;
}

/** What is said of a code, and of which code before it. */
interface Found {
	value: Value | undefined;
	/** How far the code is behind the one that has the value. */
	offset: number;
}

const MOST_CODES_IN_RANGE = 65_536;
const MOST_CODES = 70_000;

/** What is kept of a table of codes takes memory: each value as long as so many characters take. */
export const STEPS_OF_VALUE = 100;

/** Values for ranges of codes. */
export class Ranges {
	private readonly ranges: Range[] = [];
	private isSorted = true;
	private codes = 0;

	/** Passes a range that ends before it begins, or that is too long to be meant. */
	add(first: number, last: number, value: Value | undefined): void {
		const codes = last - first + 1;
		if (!(codes > 0 && codes <= MOST_CODES_IN_RANGE)) return;
		this.codes += codes;
		ensure(this.codes <= MOST_CODES, 'A font has too many codes');
		this.isSorted = false;
		this.ranges.push({ first, last, value });
	}

	/** Of ranges that overlap, the one that begins last, or was added last, counts. */
	find(code: number): Found | undefined {
		const { ranges } = this;
		if (!this.isSorted) ranges.sort((one, other) => one.first - other.first);
		this.isSorted = true;
		let low = 0;
		let high = ranges.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((ranges[middle]?.first ?? Infinity) <= code) low = middle + 1;
			else high = middle;
		}
		const range = ranges[low - 1];
		if (!range || code > range.last) return undefined;
		const { first, value } = range;
		const offset = code - first;
		return Array.isArray(value) ? { value: value[offset], offset: 0 } : { value, offset };
	}
}
