/** A seeded source of numbers (mulberry32), so that a failing run can be repeated. */
export class Random {
	constructor(private seed: number) {}

	/** At least 0, less than 1. */
	next(): number {
		this.seed = (this.seed + 0x6d2b79f5) | 0;
		let t = Math.imul(this.seed ^ (this.seed >>> 15), 1 | this.seed);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
	}

	/** An integer from 0 up to, and without, `limit`. */
	below(limit: number): number {
		return Math.floor(this.next() * limit);
	}

	pick<T>(items: readonly T[]): T {
		const item = items[this.below(items.length)];
		if (item === undefined) throw new Error('Nothing to pick from');
		return item;
	}
}
