import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../client';
import type { Entry } from './entries';

/** What a set holds. */
export interface Kind<T extends Entry> {
	/** What stands before the id in static data. */
	prefix: string;
	/** Reads an entry with suspicion: what is stored may be an old backup, what is received comes from another process. */
	parse(value: IDataObject): T | undefined;
	/** So many are kept in static data and handed to another process; the oldest go first. */
	max: number;
	/** What two processes know of one id; unless given, the later counts. */
	merge?(one: T, other: T): T;
}

/** So many times more are kept in the process, which costs less. */
const MORE_IN_PROCESS = 10;

/**
 * A set that is kept in a workflow's static data and in the process, and read as the union of the two. n8n saves static data
 * late, or not at all, or as it was when a request began; with a set that is only added to and taken from, no order of saves
 * costs the newest entry, as long as one of the two places has it. An old snapshot may bring a removed one back. That does no
 * harm: the next look removes it again.
 *
 * Each entry has a top-level key of its own, because n8n saves static data only when such a key was assigned.
 */
export class StateSet<T extends Entry> {
	constructor(
		private readonly data: IDataObject,
		private readonly entries: Map<string, T>,
		private readonly kind: Kind<T>,
	) {}

	get(id: string): T | undefined {
		this.takeIn(this.data[this.kind.prefix + id]);
		return this.entries.get(id);
	}

	/** All of them, the newest first. */
	all(): T[] {
		for (const key of this.storedKeys()) this.takeIn(this.data[key]);
		return [...this.entries.values()].sort((one, other) => other.at - one.at);
	}

	/** Keeps an entry in the process only. */
	keep(entry: T): void {
		const held = this.entries.get(entry.id);
		const { merge = (one: T, other: T) => (other.at > one.at ? other : one), max } = this.kind;
		const merged = held ? merge(held, entry) : entry;
		if (merged === held) return;
		this.entries.delete(entry.id);
		this.entries.set(entry.id, merged);
		for (const id of this.entries.keys()) {
			if (this.entries.size <= max * MORE_IN_PROCESS) return;
			this.entries.delete(id);
		}
	}

	/** Keeps an entry in the process and in static data. The process may know a later one. */
	put(entry: T): void {
		this.keep(this.stored(entry.id) ?? entry);
		this.keep(entry);
		this.save(this.entries.get(entry.id) ?? entry);
	}

	/** Writes everything that static data does not hold as it is known here. */
	saveAll(): void {
		for (const entry of this.toShare()) this.save(entry);
	}

	remove(id: string): void {
		this.entries.delete(id);
		const key = this.kind.prefix + id;
		if (this.data[key] !== undefined) delete this.data[key];
	}

	/** What another process needs to know. */
	toShare(): T[] {
		return this.all().slice(0, this.kind.max);
	}

	/** Takes in what another process has shared. */
	merge(shared: unknown): void {
		for (const value of Array.isArray(shared) ? (shared as unknown[]) : []) this.takeIn(value);
	}

	private takeIn(value: unknown): void {
		const entry = isObject(value) ? this.kind.parse(value) : undefined;
		if (entry) this.keep(entry);
	}

	private stored(id: string): T | undefined {
		const value = this.data[this.kind.prefix + id];
		return isObject(value) ? this.kind.parse(value) : undefined;
	}

	private storedKeys(): string[] {
		return Object.keys(this.data).filter((key) => key.startsWith(this.kind.prefix));
	}

	private save(entry: T): void {
		const { prefix, max } = this.kind;
		const stored = this.data[prefix + entry.id];
		if (JSON.stringify(stored) === JSON.stringify(entry)) return;
		this.data[prefix + entry.id] = { ...entry };
		// Sorting all of them for each one that is added would hold n8n up for seconds when two processes share full sets.
		const keys = stored === undefined ? this.storedKeys() : [];
		if (keys.length <= max) return;
		const timeOf = (key: string) => Number((this.data[key] as IDataObject | undefined)?.at) || 0;
		for (const key of keys.sort((one, other) => timeOf(other) - timeOf(one)).slice(max)) delete this.data[key];
	}
}
