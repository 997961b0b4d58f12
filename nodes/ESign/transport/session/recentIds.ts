/** How many ids are kept: far more than a key can create while one request is in doubt. */
const CAPACITY = 10_000;

/** A set that forgets its oldest entries. */
export class RecentIds {
	private readonly ids = new Set<string>();

	add(id: string): void {
		this.ids.delete(id);
		this.ids.add(id);
		if (this.ids.size <= CAPACITY) return;
		for (const oldest of this.ids) {
			this.ids.delete(oldest);
			return;
		}
	}

	delete(id: string): void {
		this.ids.delete(id);
	}

	has(id: string): boolean {
		return this.ids.has(id);
	}
}
