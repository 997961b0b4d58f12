import { isObject, RecentMap } from '../client';

export type Entry = {
	id: string;
	at: number;
	/** It was removed: no copy that is as old, here or in another process, brings it back. */
	isRemoved?: true;
};

/** So many that were removed are remembered, saved and shared. */
const MAX_REMOVED = 500;

/** What is saved or sent may have been changed by others. */
const isEntry = (value: unknown): value is Entry =>
	isObject(value) && typeof value.id === 'string' && typeof value.at === 'number';

/**
 * A set in the process, by id, and its copy in a workflow's static data. The two are merged, and
 * neither overwrites the other: n8n saves static data late, or not at all, or as it was when a
 * request began.
 */
export class EntrySet<T extends Entry> extends RecentMap<string, T> {
	private readonly removed = new RecentMap<string, Entry>(MAX_REMOVED);

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
	}

	/** All of them, the newest first. */
	all(): T[] {
		return [...this.values()].sort((one, other) => other.at - one.at);
	}

	/** What is saved, and what another process needs to know. */
	toShare(): Entry[] {
		return [...this.all().slice(0, this.max), ...this.removed.values()];
	}

	keep(entry: T): void {
		const held = this.get(entry.id);
		const merged = held ? this.mergeTwo(held, entry) : entry;
		// What is merged again and again is not the last to go for that.
		if (merged !== held) this.set(entry.id, merged);
	}

	/** @param at of the copy that was removed; what is later here stays */
	remove(id: string, at = this.get(id)?.at): void {
		if (at === undefined || at < (this.get(id)?.at ?? at)) return;
		this.delete(id);
		this.removed.set(id, { id, at, isRemoved: true });
	}

	/** Takes in what was saved, or what another process knows; what is no list has no entries. */
	merge(entries: unknown): void {
		for (const entry of Array.isArray(entries) ? entries.filter(isEntry) : []) {
			const { id, at, isRemoved } = entry;
			if (at <= (this.removed.get(id)?.at ?? -Infinity)) continue;
			if (isRemoved) this.remove(id, at);
			else this.keep(entry as T);
		}
	}
}
