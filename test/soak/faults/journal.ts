/** What a fault may make of a call or an execution: what a failure that it explains shows. */
export type Effect =
	| 'server error'
	| 'broken connection'
	| 'too slow'
	| 'key refused'
	| 'address refused'
	| 'n8n away';

export interface JournalEntry {
	name: string;
	effects: readonly Effect[];
	/** Holds up everything for as long as it lasts; the others meet single calls. */
	isLarge: boolean;
	from: number;
	until: number;
}

/** What went wrong on purpose, and when. */
export class FaultJournal {
	readonly entries: JournalEntry[] = [];

	/** Notes a fault for as long as `during` takes, and tells whoever watches. */
	async during(
		name: string,
		effects: readonly Effect[],
		during: () => Promise<void>,
	): Promise<void> {
		const entry = { name, effects, isLarge: true, from: Date.now(), until: Infinity };
		this.entries.push(entry);
		try {
			await during();
		} finally {
			entry.until = Date.now();
			const seconds = Math.round((entry.until - entry.from) / 1000);
			console.log(`${new Date(entry.from).toISOString()}  ${name}, ${seconds} s`);
		}
	}

	/** Notes a fault that is waiting for its calls. */
	note(name: string, effects: readonly Effect[], until: number): void {
		this.entries.push({ name, effects, isLarge: false, from: Date.now(), until });
	}

	/** The faults that were there within a stretch of time. */
	within(from: number, until: number): JournalEntry[] {
		return this.entries.filter((entry) => entry.from <= until && entry.until >= from);
	}

	/** How often each happened, by name. */
	counts(): Map<string, number> {
		const counts = new Map<string, number>();
		for (const { name } of this.entries) counts.set(name, (counts.get(name) ?? 0) + 1);
		return counts;
	}
}
