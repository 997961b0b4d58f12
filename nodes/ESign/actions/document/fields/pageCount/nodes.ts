import { Column } from './column';
import type { Source } from './source';
import { Unreadable } from './work';

/** What a node says of its number of pages: that it is one, or nothing. */
export const PAGE = 2 ** 32 - 1;
export const UNKNOWN = 2 ** 32 - 2;

/** Above the index of every node. Times a place or the number of an object, it is still a number without rounding. */
const INDICES = 2 ** 21;

const LAST_PLACE = 2 ** 32 - 1;

/**
 * The nodes of a page tree, as columns of numbers: a file may have a page for each few bytes. They are in the order in
 * which they are found, so that a parent stands before its kids.
 */
export class Nodes {
	length = 0;
	readonly numbers = new Column();
	readonly parents = new Column();
	/** Where they are in the file; see `Found`. */
	readonly positions = new Column();
	readonly declared = new Column();

	/** Where the table has them; see `Objects.placeOf`. */
	private readonly places = new Column();

	/** More nodes than a file of this size has: a page takes more bytes, however well it is packed. */
	private readonly most: number;

	private readonly otherNumbers = new Column();
	private readonly otherPositions = new Column();
	private otherCount = 0;

	/** What was sorted last, and where the next is. */
	private keys = new Float64Array(0);

	constructor(private readonly source: Source) {
		this.most = Math.min(Math.floor(source.bytes.length / 64) + 20_000, INDICES / 2);
	}

	add(number: number, parent: number, place: number): void {
		const { length } = this;
		if (length === this.most) throw new Unreadable('The page tree has too many nodes');
		this.numbers.set(length, number);
		this.parents.set(length, parent);
		this.places.set(length, Math.min(place, LAST_PLACE));
		this.length += 1;
		this.source.work.spend(16);
	}

	/** An object that is part of a node, or the catalog. */
	addOther(number: number, position: number): void {
		if (this.otherCount > this.most / 4) throw new Unreadable('The page tree has too many parts');
		this.otherNumbers.set(this.otherCount, number);
		this.otherPositions.set(this.otherCount, position);
		this.otherCount += 1;
	}

	/** Some of the nodes in the order in which they are in the file, a node that is there twice next to itself. */
	*inFileOrder(from: number, end: number): Generator<number> {
		const { places, numbers } = this;
		const keys = this.sorted(end - from, (at) => places.get(from + at) * INDICES + from + at);
		const place = (at: number) => places.get((keys[at] ?? 0) % INDICES);
		for (let start = 0, next = 0; start < keys.length; start = next) {
			for (next = start + 1; next < keys.length && place(next) === place(start);) next += 1;
			if (next === start + 1) {
				yield (keys[start] ?? 0) % INDICES;
				continue;
			}
			// Those of one object stream are in one place.
			const group = keys.subarray(start, next);
			for (let at = 0; at < group.length; at++) {
				const node = (group[at] ?? 0) % INDICES;
				group[at] = numbers.get(node) * INDICES + node;
			}
			this.sort(group);
			for (const key of group) yield key % INDICES;
		}
	}

	/**
	 * Every object that the number of pages depends on, sorted by its number, each once.
	 *
	 * @throws Unreadable if one that is no page is in the tree more than once
	 */
	byNumber(): { numbers: Float64Array; positions: Uint32Array } {
		const { length } = this;
		const keys = this.sorted(length + this.otherCount, (at) => {
			const number = at < length ? this.numbers.get(at) : this.otherNumbers.get(at - length);
			return number * INDICES + at;
		});
		const positions = new Uint32Array(keys.length);
		let count = 0;
		for (const key of keys) {
			const index = key % INDICES;
			const number = Math.floor(key / INDICES);
			if (count > 0 && keys[count - 1] === number) {
				if (index < length && this.declared.get(index) !== PAGE) throw new Unreadable('The page tree goes in circles');
				continue;
			}
			positions[count] = index < length ? this.positions.get(index) : this.otherPositions.get(index - length);
			keys[count] = number;
			count += 1;
		}
		return { numbers: keys.subarray(0, count), positions: positions.subarray(0, count) };
	}

	private sorted(count: number, keyOf: (at: number) => number): Float64Array {
		// With room for the objects that are no nodes, which come last.
		if (this.keys.length < count) this.keys = new Float64Array(count + 1_024);
		const keys = this.keys.subarray(0, count);
		for (let at = 0; at < count; at++) keys[at] = keyOf(at);
		this.source.work.spend(count * 8);
		this.sort(keys);
		return keys;
	}

	/** Nearly always they are in order. */
	private sort(keys: Float64Array): void {
		let at = 1;
		while (at < keys.length && (keys[at - 1] ?? 0) <= (keys[at] ?? 0)) at += 1;
		if (at >= keys.length) return;
		this.source.work.spend(keys.length * 2 * Math.log2(keys.length));
		keys.sort();
	}
}
