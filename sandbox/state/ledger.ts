import type { Sequenced } from './entities';
import type { Mode } from './vocabulary';

/** Objects of one kind, by id and, apart for each mode, in the order of their creation. */
export class Ledger<T extends Sequenced & { mode: Mode }> {
	private readonly byId = new Map<string, T>();
	private readonly inOrder: Record<Mode, T[]> = { LIVE: [], TEST: [] };
	private last = 0;

	/** The number that the next object takes. */
	nextSequence(): number {
		return ++this.last;
	}

	add(object: T): T {
		this.byId.set(object.id, object);
		this.inOrder[object.mode].push(object);
		return object;
	}

	/** The object, unless it is unknown or belongs to the other mode. */
	find(id: string, mode?: Mode): T | undefined {
		const object = this.byId.get(id);
		return object && (mode === undefined || object.mode === mode) ? object : undefined;
	}

	remove(object: T): void {
		this.byId.delete(object.id);
		const objects = this.inOrder[object.mode];
		const index = objects.indexOf(object);
		if (index >= 0) objects.splice(index, 1);
	}

	/**
	 * Newest first, starting below the sequence number `before`. Objects that are added meanwhile
	 * have higher numbers, so a reader who continues from the last number seen neither repeats nor
	 * misses one.
	 */
	*newestFirst(mode: Mode, before = Infinity): Generator<T> {
		const objects = this.inOrder[mode];
		let index = objects.length - 1;
		if (before !== Infinity) {
			let low = 0;
			let high = objects.length;
			while (low < high) {
				const middle = (low + high) >> 1;
				if ((objects[middle] as T).sequence < before) low = middle + 1;
				else high = middle;
			}
			index = low - 1;
		}
		for (; index >= 0; index--) yield objects[index] as T;
	}
}
