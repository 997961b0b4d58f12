import type { Source } from './source';
import { Unreadable } from './work';

/**
 * The nodes of a page tree, as columns of numbers: a file may have a page for each few bytes. They are in the order in
 * which they are found, so that a parent stands before its kids.
 */
export class Nodes {
	length = 0;
	readonly numbers: Uint32Array;
	readonly parents: Uint32Array;
	/** Where the table has them; see `Objects.placeOf`. */
	readonly places: Float64Array;
	/** Where they are in the file; see `Found`. */
	readonly positions: Uint32Array;
	readonly declared: Int32Array;

	/** Objects that are part of nodes, and the catalog. */
	private readonly others: Array<{ number: number; position: number }> = [];

	/** More nodes than a file of this size has: a page takes more bytes, however well it is packed. */
	private readonly most: number;

	constructor(private readonly source: Source) {
		this.most = Math.floor(source.bytes.length / 64) + 50_000;
		// Memory that is not written to takes no room. Columns that grow would be there twice each time.
		this.numbers = new Uint32Array(this.most);
		this.parents = new Uint32Array(this.most);
		this.places = new Float64Array(this.most);
		this.positions = new Uint32Array(this.most);
		this.declared = new Int32Array(this.most);
	}

	add(number: number, parent: number, place: number): void {
		const { length } = this;
		if (length === this.most) throw new Unreadable('The page tree has too many nodes');
		this.numbers[length] = number;
		this.parents[length] = parent;
		this.places[length] = place;
		this.length += 1;
		this.source.work.spend(8);
	}

	addOther(number: number, position: number): void {
		if (this.others.length > this.most / 4) throw new Unreadable('The page tree has too many parts');
		this.others.push({ number, position });
	}

	/** Some of the nodes in the order in which they are in the file. */
	inFileOrder(from: number, end: number): Uint32Array {
		const order = Uint32Array.from({ length: end - from }, (_, index) => from + index);
		const { places, numbers } = this;
		const compare = (one: number, other: number) =>
			(places[one] ?? 0) - (places[other] ?? 0) || (numbers[one] ?? 0) - (numbers[other] ?? 0);
		let isSorted = true;
		for (let at = 1; at < order.length && isSorted; at++) isSorted = compare(order[at - 1] ?? 0, order[at] ?? 0) <= 0;
		if (isSorted) return order;
		this.source.work.spend(order.length * 2 * Math.log2(order.length));
		return order.sort(compare);
	}

	/** Every object that the number of pages depends on, sorted by its number, each once. */
	byNumber(): { numbers: Uint32Array; positions: Uint32Array } {
		const count = this.length + this.others.length;
		const number = (index: number) =>
			(index < this.length ? this.numbers[index] : this.others[index - this.length]?.number) ?? 0;
		const position = (index: number) =>
			(index < this.length ? this.positions[index] : this.others[index - this.length]?.position) ?? 0;
		const order = Uint32Array.from({ length: count }, (_, index) => index);
		this.source.work.spend(count * 2 * Math.log2(count + 1));
		order.sort((one, other) => number(one) - number(other));
		const distinct = order.filter((index, at) => at === 0 || number(order[at - 1] ?? 0) !== number(index));
		return { numbers: distinct.map(number), positions: distinct.map(position) };
	}
}
