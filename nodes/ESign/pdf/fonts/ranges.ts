import { Unreadable, type Source } from '../objects/source';

interface Range<T> {
	first: number;
	last: number;
	value: T;
}

const MOST_CODES_IN_RANGE = 65_536;
const MOST_CODES = 70_000;

/** What is kept of a range takes memory: as long as so many characters take. */
const STEPS_OF_RANGE = 300;

/** Values for ranges of codes. */
export class Ranges<T> {
	private readonly ranges: Array<Range<T>> = [];
	private isSorted = true;
	private codes = 0;

	constructor(private readonly source: Source) {}

	/** Passes a range that ends before it begins, or that is too long to be meant. */
	add(first: number, last: number, value: T): void {
		this.source.spend(STEPS_OF_RANGE);
		const codes = last - first + 1;
		if (!(codes > 0 && codes <= MOST_CODES_IN_RANGE)) return;
		this.codes += codes;
		if (this.codes > MOST_CODES) throw new Unreadable('A font has too many codes');
		const before = this.ranges.at(-1);
		if (before && before.first > first) this.isSorted = false;
		this.ranges.push({ first, last, value });
	}

	/** Of ranges that overlap, the one that begins last, or was added last, counts. */
	find(code: number): Range<T> | undefined {
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
		return range && code <= range.last ? range : undefined;
	}
}
