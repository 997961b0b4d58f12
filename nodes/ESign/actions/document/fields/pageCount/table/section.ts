import { Unreadable } from '../work';

/** Where an object is: in the file, in an object stream, or nowhere. */
export type Entry =
	| { kind: 'plain'; offset: number; generation: number }
	| { kind: 'packed'; stream: number; place: number }
	| { kind: 'free' };

const FREE: Entry = { kind: 'free' };

/** Consecutive object numbers, whose entries are consecutive rows. */
export interface Range {
	first: number;
	count: number;
	row: number;
}

/**
 * One cross-reference section (ISO 32000-1, 7.5.4 and 7.5.8), in the form that cross-reference streams have: rows of three
 * numbers, which stay packed as bytes.
 */
export class Section {
	private readonly rowBytes: number;

	constructor(
		private readonly rows: Uint8Array,
		private readonly widths: readonly [number, number, number],
		private readonly ranges: Range[],
		/** Of a table: the stream with entries for readers that know such (7.5.8.4). */
		private readonly hidden?: Section,
	) {
		this.rowBytes = widths[0] + widths[1] + widths[2];
		// As it nearly always is, already. Sorting makes a copy.
		if (!isInOrder(ranges)) ranges.sort((one, other) => one.first - other.first);
		if (!isInOrder(ranges)) throw new Unreadable('A section has two entries for an object');
	}

	/** What this section says of an object; undefined if it does not name it. */
	find(number: number): Entry | undefined {
		const own = this.own(number);
		if (!this.hidden || own?.kind === 'plain') return own;
		const hidden = this.hidden.find(number);
		return hidden === undefined || hidden.kind === 'free' ? own : hidden;
	}

	private own(number: number): Entry | undefined {
		let low = 0;
		let high = this.ranges.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			const range = this.ranges[middle];
			if (!range || range.first > number) high = middle;
			else if (range.first + range.count <= number) low = middle + 1;
			else return this.entry(range.row + number - range.first);
		}
		return undefined;
	}

	private entry(row: number): Entry {
		const [kindWidth, firstWidth, secondWidth] = this.widths;
		const at = row * this.rowBytes;
		const kind = kindWidth === 0 ? 1 : this.number(at, kindWidth);
		const first = this.number(at + kindWidth, firstWidth);
		const second = this.number(at + kindWidth + firstWidth, secondWidth);
		if (kind === 1) return { kind: 'plain', offset: first, generation: second };
		return kind === 2 ? { kind: 'packed', stream: first, place: second } : FREE;
	}

	private number(at: number, width: number): number {
		let value = 0;
		for (let index = at; index < at + width; index++) value = value * 256 + (this.rows[index] ?? 0);
		return value;
	}
}

function isInOrder(ranges: readonly Range[]): boolean {
	let end = 0;
	for (const { first, count } of ranges) {
		if (first < end) return false;
		end = first + count;
	}
	return true;
}
