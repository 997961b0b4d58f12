import { seededRandom } from '../../support/seededRandom';

/** Choices that a seed decides: the same seed makes the same plan. */
export class Chance {
	private readonly next: () => number;

	constructor(seed: number) {
		this.next = seededRandom(seed);
	}

	/** From `least` up to, not including, `most`. */
	between(least: number, most: number): number {
		return least + this.next() * (most - least);
	}

	pick<T>(from: readonly T[]): T {
		return from[Math.floor(this.next() * from.length)] as T;
	}

	/**
	 * Deals these out in random order, and again when all are dealt: each comes as often as it stands
	 * in the deck.
	 */
	*deal<T>(deck: readonly T[]): Generator<T, never> {
		for (;;) {
			const rest = [...deck];
			while (rest.length > 0) yield rest.splice(Math.floor(this.next() * rest.length), 1)[0] as T;
		}
	}
}
