import { forgetOldest } from './forgetOldest';

/** How many ids are kept: far more than a key can create while one request is in doubt. */
const CAPACITY = 10_000;

/** A set that forgets its oldest entries. */
export class RecentIds {
	private readonly ids = new Set<string>();

	add(id: string): void {
		this.ids.delete(id);
		this.ids.add(id);
		forgetOldest(this.ids, CAPACITY);
	}

	has(id: string): boolean {
		return this.ids.has(id);
	}
}
