/** Deletes the entries of a map or a set that were put in first, until no more than so many are left. */
export function forgetOldest<Key>(entries: Map<Key, unknown> | Set<Key>, most: number): void {
	for (const oldest of entries.keys()) {
		if (entries.size <= most) return;
		entries.delete(oldest);
	}
}
