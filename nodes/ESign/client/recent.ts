/** Deletes the entries of a map or a set that were put in first, until no more than so many are left. */
export function forgetOldest<Key>(entries: Map<Key, unknown> | Set<Key>, most: number): void {
	for (const oldest of entries.keys()) {
		if (entries.size <= most) return;
		entries.delete(oldest);
	}
}

/** How many ids are kept: far more than a key can create while one request is in doubt. */
const MAX_IDS = 10_000;

/** A set that forgets its oldest entries. */
export class RecentIds {
	private readonly ids = new Set<string>();

	add(id: string): void {
		this.ids.delete(id);
		this.ids.add(id);
		forgetOldest(this.ids, MAX_IDS);
	}

	has(id: string): boolean {
		return this.ids.has(id);
	}
}
