import { isObject, RecentMap } from '../client';

export type Entry = { id: string; at: number };

/** What is saved or sent may have been changed by others. */
const isEntry = (value: unknown): value is Entry =>
	isObject(value) && typeof value.id === 'string' && typeof value.at === 'number';

/**
 * A set in the process, by id, and its copy in a workflow's static data. The two are merged, and
 * neither overwrites the other: n8n saves static data late, or not at all, or as it was when a
 * request began.
 */
export class EntrySet<T extends Entry> extends RecentMap<string, T> {
	/** When those that were removed had become known: an old copy does not bring them back. */
	private readonly removed: RecentMap<string, number>;

	/**
	 * @param max so many are saved and handed to another process, the newest; ten times more are kept
	 * here, which costs less
	 * @param mergeTwo what two processes know of one id; unless given, the later counts
	 */
	constructor(
		private readonly max: number,
		private readonly mergeTwo = (one: T, other: T): T => (other.at > one.at ? other : one),
	) {
		super(max * 10);
		this.removed = new RecentMap(max);
	}

	/** All of them, the newest first. */
	all(): T[] {
		return [...this.values()].sort((one, other) => other.at - one.at);
	}

	/** What is saved, and what another process needs to know. */
	newest(): T[] {
		return this.all().slice(0, this.max);
	}

	keep(entry: T): void {
		const held = this.get(entry.id);
		const merged = held ? this.mergeTwo(held, entry) : entry;
		// What is merged again and again is not the last to go for that.
		if (merged !== held) this.set(entry.id, merged);
	}

	remove(id: string): void {
		const held = this.get(id);
		if (!held) return;
		this.delete(id);
		this.removed.set(id, held.at);
	}

	/** Takes in what was saved, or what another process knows; what is no list has no entries. */
	merge(entries: unknown): void {
		for (const entry of Array.isArray(entries) ? entries.filter(isEntry) : []) {
			if (entry.at > (this.removed.get(entry.id) ?? -Infinity)) this.keep(entry as T);
		}
	}
}
