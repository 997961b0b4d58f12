/**
 * A queue that serves its groups in turn, and each group in the order of arrival: one execution with a hundred items
 * does not keep another one with a single item waiting behind all of them.
 */
export class Turns<Entry> {
	private readonly groups = new Map<unknown, Entry[]>();

	get size(): number {
		let size = 0;
		for (const entries of this.groups.values()) size += entries.length;
		return size;
	}

	add(group: unknown, entry: Entry): void {
		const entries = this.groups.get(group);
		if (entries) entries.push(entry);
		else this.groups.set(group, [entry]);
	}

	/** Takes the next entry; its group goes to the end of the round. */
	take(): Entry | undefined {
		for (const [group, entries] of this.groups) {
			const entry = entries.shift();
			this.groups.delete(group);
			if (entries.length > 0) this.groups.set(group, entries);
			return entry;
		}
		return undefined;
	}

	/** Everything that waits, as it stands now. */
	entries(): Array<{ group: unknown; entry: Entry }> {
		return [...this.groups].flatMap(([group, entries]) => entries.map((entry) => ({ group, entry })));
	}

	remove(group: unknown, entry: Entry): void {
		const entries = this.groups.get(group)?.filter((other) => other !== entry) ?? [];
		if (entries.length > 0) this.groups.set(group, entries);
		else this.groups.delete(group);
	}
}
