import { seededRandom } from '../../../harness/seededRandom';

/** Choices that a seed decides, so that a failing run can be repeated. */
export class Random {
	/** At least 0, less than 1. */
	readonly next: () => number;

	constructor(seed: number) {
		this.next = seededRandom(seed);
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
