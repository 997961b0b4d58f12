import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import { asThrown, client, OneAtATime } from '../../client';

/** n8n reads and then writes without a lock: in one process its calls go one after the other. */
const turns = new OneAtATime();

/** Of a longer run ten for each item. */
const MAX_FACTS = 10_000;
const FACTS_PER_ITEM = 10;

/** The parts of a fact: a question that goes wrong once or twice makes no fact. */
const PARTS = ['', ', part 2', ', part 3'];

/** Two processes that write to a new memory at the same moment collide; the second try finds it. */
const TRIES = 5;
const PAUSE_MS = 50;

/** Each further pause is so many times as long: a database may be away for some seconds. */
const PAUSE_GROWTH = 5;

/**
 * Another process that has read n8n's memory before we wrote to it has written to it by then, also
 * where it is busy and stands still for a moment.
 */
const OTHER_PROCESS_MS = 1_000;
const TIMES_RECORDED = 5;

/**
 * What n8n remembers of this node in its database, beside its executions: which facts were
 * recorded. It outlives kills, restarts and workers, and belongs to the node of the workflow by the
 * node's ID. n8n keeps a hash of each entry, the last ones only.
 *
 * n8n can only ask by recording. So each fact is recorded in several parts, and all must be there.
 * A question takes away again what it has recorded, and asks for the next part only where the one
 * before is there: what it leaves, where n8n is killed, is a part, and no fact.
 *
 * Every call reads and writes one row of n8n's database. Throws what n8n throws where it is away.
 */
export class NodeMemory {
	private readonly name: string;

	private readonly maxEntries: number;

	/** @param fewest facts that n8n keeps, however few items there are; it reads and writes all */
	constructor(
		private readonly context: IExecuteFunctions,
		fewest = MAX_FACTS,
	) {
		const items = context.getInputData().length;
		this.maxEntries = PARTS.length * Math.max(fewest, FACTS_PER_ITEM * items);
		this.name = `${context.getWorkflow().id}:${context.getNode().id}`;
	}

	/**
	 * Records facts.
	 *
	 * @returns for each of them, whether it was there before
	 */
	async record(...facts: string[]): Promise<boolean[]> {
		const known = await this.inTurn(async () => await this.check(entriesOf(facts)));
		return facts.map((fact) => PARTS.every((part) => known.has(fact + part)));
	}

	/**
	 * Records facts where another process may do so at the same moment. n8n takes no lock: one of
	 * the two overwrites the other. So they are recorded again until the first is seen to be there;
	 * with it is whatever the one recorded that wrote last.
	 *
	 * @returns for each of them, whether it was there before the last time
	 */
	async recordSafely(...facts: string[]): Promise<boolean[]> {
		let were = await this.record(...facts);
		for (let times = 1; times < TIMES_RECORDED && !were[0]; times++) {
			await client.pause(OTHER_PROCESS_MS);
			were = await this.record(...facts);
		}
		return were;
	}

	/** Whether facts are there. */
	async has(...facts: string[]): Promise<boolean[]> {
		let there = facts;
		for (const part of PARTS) {
			const known = await this.ask(there.map((fact) => fact + part));
			there = there.filter((fact) => known.has(fact + part));
		}
		const all = new Set(there);
		return facts.map((fact) => all.has(fact));
	}

	/** Takes facts away. Where that cannot be done they stay, and are looked for in vain. */
	async forget(...facts: string[]): Promise<void> {
		await this.inTurn(async () => await this.remove(entriesOf(facts))).catch(() => undefined);
	}

	/** Which entries are there. What is new is recorded, and taken away. */
	private async ask(entries: string[]): Promise<Set<string>> {
		let known: Set<string> | undefined;
		return await this.inTurn(async () => {
			// A second try would find what the first has recorded.
			known ??= await this.check(entries, entries.length);
			const there = known;
			await this.remove(entries.filter((entry) => !there.has(entry)));
			return there;
		});
	}

	/**
	 * Records entries.
	 *
	 * @param more that n8n keeps for this once, so that they push nothing out
	 * @returns those that were there before
	 */
	private async check(entries: string[], more = 0): Promise<Set<string>> {
		if (entries.length === 0) return new Set();
		const maxEntries = this.maxEntries + more;
		// n8n records twice what is given twice.
		const different = [...new Set(entries)];
		const options: ICheckProcessedOptions = { mode: 'entries', maxEntries };
		const { helpers } = this.context;
		const answer = await helpers.checkProcessedAndRecord(different, 'node', options);
		return new Set(answer.processed.map(String));
	}

	private async remove(entries: string[]): Promise<void> {
		if (entries.length === 0) return;
		await this.context.helpers.removeProcessed(entries, 'node', { mode: 'entries' });
	}

	/** @param ask called again after a failure, which may have carried it out all the same */
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

/** The entries that stand for facts. */
function entriesOf(facts: readonly string[]): string[] {
	return facts.flatMap((fact) => PARTS.map((part) => fact + part));
}
