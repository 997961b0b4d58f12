import { randomUUID } from 'crypto';
import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import { asThrown, client, OneAtATime } from '../../client';

/** n8n reads and then writes without a lock: in one process its calls go one after the other. */
const turns = new OneAtATime();

/** Of a longer run ten for each item. */
const MAX_ENTRIES = 10_000;
const ENTRIES_PER_ITEM = 10;

/** Two processes that write to a new memory at the same moment collide; the second try finds it. */
const TRIES = 4;
const PAUSE_MS = 50;

/** Each further pause is so many times as long: a database may be away for some seconds. */
const PAUSE_GROWTH = 10;

/**
 * Another process that has read n8n's memory before we wrote to it has written to it by then, also
 * where it is busy and stands still for a moment.
 */
const OTHER_PROCESS_MS = 1_000;
const TIMES_RECORDED = 5;

/**
 * What n8n remembers of this node in its database, beside its executions: which entries were
 * recorded. It outlives kills, restarts and workers, and belongs to the node of the workflow by the
 * node's ID. n8n keeps a hash of each entry, the last `MAX_ENTRIES` of them.
 *
 * Every call reads and writes one row of n8n's database. Throws what n8n throws where it is away.
 */
export class NodeMemory {
	private readonly name: string;

	private readonly maxEntries: number;

	/** @param fewest entries that n8n keeps, however few items there are; it reads and writes all */
	constructor(
		private readonly context: IExecuteFunctions,
		fewest = MAX_ENTRIES,
	) {
		const items = context.getInputData().length;
		this.maxEntries = Math.max(fewest, ENTRIES_PER_ITEM * items);
		this.name = `${context.getWorkflow().id}:${context.getNode().id}`;
	}

	/**
	 * Records entries.
	 *
	 * @returns for each of them, whether it was there before
	 */
	async record(...entries: string[]): Promise<boolean[]> {
		return await this.inTurn(async () => await this.check(entries, this.maxEntries));
	}

	/**
	 * Records entries where another process may do so at the same moment. n8n takes no lock: one of
	 * the two overwrites the other. So they are recorded again until the first is seen to be there;
	 * with it is whatever the one recorded that wrote last.
	 *
	 * @returns for each of them, whether it was there before the last time
	 */
	async recordSafely(...entries: string[]): Promise<boolean[]> {
		const { last } = await this.recordUntilThere(() => entries);
		return last;
	}

	/**
	 * Records entries likewise, where another process may be asking for them at the same moment: it
	 * takes away then what it has recorded with its question. So they are recorded twice at least.
	 */
	async recordForGood(...entries: string[]): Promise<void> {
		await this.recordUntilThere(() => entries, 2);
	}

	/**
	 * Records entries, unless the first is there already. Of several processes that do so at the same
	 * moment, one is the first.
	 *
	 * @returns whether it was there; and of the others, when it was last seen not to be
	 */
	async isTaken(entry: string, ...others: string[]) {
		// That of a try whose answer was lost may stand beside an entry that was there before.
		const { entries, last, before } = await this.recordUntilThere(() => {
			return [entry, `${entry} by ${randomUUID()}`, ...others];
		});
		const [, mark = ''] = entries;
		await this.forget(mark);
		const [isThere = false, isOurs = false] = last;
		return { isTaken: isThere && !isOurs, wereThere: before.slice(2) };
	}

	/**
	 * @param entriesOf asked anew after each try whose answer was lost
	 * @returns what was recorded, and whether it was there before the last time, and before the one
	 * before that
	 */
	private async recordUntilThere(entriesOf: () => string[], fewest = 1) {
		let entries = entriesOf();
		const record = async () =>
			await this.inTurn(async () => {
				const tried = entries;
				entries = entriesOf();
				const known = await this.check(tried, this.maxEntries);
				entries = tried;
				return known;
			});
		let last = await record();
		let before = last;
		for (let times = 1; times < TIMES_RECORDED && (times < fewest || !last[0]); times++) {
			await client.pause(OTHER_PROCESS_MS);
			before = last;
			last = await record();
		}
		return { entries, last, before };
	}

	/**
	 * Whether entries are there. n8n can only ask by recording, so what is new is taken away again.
	 * Where n8n is stopped before that, everything that was asked for seems to be there: so the
	 * question is recorded with it.
	 *
	 * @param about throws also where an earlier question about the same was not through
	 */
	async has(about: string, ...entries: string[]): Promise<boolean[]> {
		if (entries.length === 0) return [];
		const asked = [`${about} is asked for`, `asked by ${randomUUID()}`, ...entries];
		let known = await this.ask(asked);
		// Another process may be asking the same just now.
		for (let times = 1; known[0] && times < TIMES_RECORDED; times++) {
			await client.pause(OTHER_PROCESS_MS);
			known = await this.ask(asked);
		}
		if (known[0]) throw new Error("n8n was stopped while it read this node's memory");
		await this.takeBack(asked.filter((_, index) => !known[index]));
		return known.slice(2);
	}

	/** Whether entries are there. What is new is recorded, and taken away. */
	private async ask(entries: string[]): Promise<boolean[]> {
		let known: boolean[] | undefined;
		return await this.inTurn(async () => {
			// What is asked for pushes nothing out. A second try would find what the first has recorded.
			known ??= await this.check(entries, this.maxEntries + entries.length);
			await this.remove(entries.filter((_, index) => !known?.[index]));
			return known;
		});
	}

	/** Another process may have read what was asked before it was taken away, and written it. */
	private async takeBack(asked: string[]): Promise<void> {
		const [, mark = ''] = asked;
		let isBack = true;
		while (isBack) {
			await client.pause(OTHER_PROCESS_MS);
			[isBack = false] = await this.ask([mark]);
			if (isBack) await this.forget(...asked);
		}
	}

	/** Takes entries away. Where that cannot be done they stay, and are looked for in vain. */
	async forget(...entries: string[]): Promise<void> {
		await this.inTurn(async () => await this.remove(entries)).catch(() => undefined);
	}

	private async check(entries: string[], maxEntries: number): Promise<boolean[]> {
		if (entries.length === 0) return [];
		const { helpers } = this.context;
		const options: ICheckProcessedOptions = { mode: 'entries', maxEntries };
		// n8n records twice what is given twice.
		const different = [...new Set(entries)];
		const answer = await helpers.checkProcessedAndRecord(different, 'node', options);
		const known = new Set(answer.processed);
		return entries.map((entry) => known.has(entry));
	}

	private async remove(entries: string[]): Promise<void> {
		if (entries.length === 0) return;
		await this.context.helpers.removeProcessed(entries, 'node', { mode: 'entries' });
	}

	private async inTurn<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
		return await turns.run(this.name, async () => {
			for (let tries = 1; ; tries++) {
				try {
					return await ask();
				} catch (error) {
					if (tries === TRIES) throw asThrown(error);
				}
				await client.pause(PAUSE_MS * PAUSE_GROWTH ** (tries - 1));
			}
		});
	}
}
