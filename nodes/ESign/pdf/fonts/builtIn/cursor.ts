import { Unreadable } from '../../objects/source';

/** Reads numbers of a font program, one after the other. */
export class Cursor {
	constructor(
		private readonly data: Buffer,
		private at = 0,
	) {}

	get isInside(): boolean {
		return this.at < this.data.length;
	}

	/**
	 * The next number, big-endian.
	 * @throws Unreadable at the end
	 */
	take(bytes: number): number {
		const { at } = this;
		this.at += bytes;
		if (bytes < 1 || bytes > 4 || this.at > this.data.length)
			throw new Unreadable('A font program is damaged');
		return this.data.readUIntBE(at, bytes);
	}

	/** Passes a number that is written digit by digit. */
	passReal(): void {
		for (let pair = 0; (pair & 15) !== 15;) pair = this.take(1);
	}

	/**
	 * Passes a list of things of different length (Adobe Technical Note 5176, section 5). Returns
	 * where one of them begins and ends.
	 */
	list(): (item: number) => [from: number, to: number] {
		const count = this.take(2);
		if (count === 0) return () => [0, 0];
		const width = this.take(1);
		const offsets = this.at;
		const edge = (item: number) =>
			offsets + (count + 1) * width - 1 + new Cursor(this.data, offsets + item * width).take(width);
		this.at = edge(count);
		return (item) => (item < count ? [edge(item), edge(item + 1)] : [0, 0]);
	}
}
