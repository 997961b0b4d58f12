import { randomUUID } from 'crypto';
import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import { asThrown, client, OneAtATime } from '../../client';

/** n8n reads and then writes without a lock: in one process its calls go one after the other. */
const turns = new OneAtATime();

/** Of a longer run sixteen for each item. */
const MAX_FACTS = 10_000;
const FACTS_PER_ITEM = 16;

/** The parts of a fact: a question that goes wrong once or twice makes no fact. */
const PARTS = ['', ', part 2', ', part 3'];

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
 * What n8n remembers of this node in its database, beside its executions: which facts were
 * recorded. It outlives kills, restarts and workers, and belongs to the node of the workflow by the
 * node's ID. n8n keeps a hash of each entry, the last ones only.
 *
 * n8n can only ask by recording. So each fact is recorded in several parts, and all must be there.
 * A question is about one part after the other, as far as the one before is there. What a question
 * leaves, where n8n was stopped, its answer was lost, or another process has written it back, is a
 * part, and no fact.
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
		return await this.inTurn(async () => await this.checkFacts(facts));
	}

	/**
	 * Records facts where another process may do so at the same moment. n8n takes no lock: one of
	 * the two overwrites the other. So they are recorded again until the first is seen to be there;
	 * with it is whatever the one recorded that wrote last.
	 *
	 * @returns for each of them, whether it was there before the last time
	 */
	async recordSafely(...facts: string[]): Promise<boolean[]> {
		return await this.recordUntilThere(() => facts);
	}

	/**
	 * Records facts likewise, where another process may be asking for them at the same moment: it
	 * takes away then what it has recorded with its question. So all are to be seen to be there.
	 */
	async recordForGood(...facts: string[]): Promise<void> {
		await this.recordUntilThere(
			() => facts,
			(known) => !known.includes(false),
		);
	}

	/**
	 * Records a fact, unless it is there already. Of several processes that do so at the same moment,
	 * one is the first.
	 *
	 * @returns whether it was there
	 */
	async isTaken(fact: string): Promise<boolean> {
		let mark = '';
		const [isThere = false, isOurs = false] = await this.recordUntilThere(() => {
			// That of a try whose answer was lost may stand beside a fact that was there before.
			mark = `${fact} by ${randomUUID()}`;
			return [fact, mark];
		});
		await this.forget(mark);
		return isThere && !isOurs;
	}

	/**
	 * @param factsOf asked anew after each try whose answer was lost: that may have recorded them
	 * @returns for each of them, whether it was there before the last time
	 */
	private async recordUntilThere(
		factsOf: () => string[],
		areThere = ([isThere = false]: readonly boolean[]) => isThere,
	): Promise<boolean[]> {
		let answered: string[] | undefined;
		const record = async () =>
			await this.inTurn(async () => {
				const facts = answered ?? factsOf();
				answered = undefined;
				const known = await this.checkFacts(facts);
				answered = facts;
				return known;
			});
		let last = await record();
		for (let times = 1; times < TIMES_RECORDED && !areThere(last); times++) {
			await client.pause(OTHER_PROCESS_MS);
			last = await record();
		}
		return last;
	}

	/** Whether facts are there. */
	async has(...facts: string[]): Promise<boolean[]> {
		let there = facts;
		for (const part of PARTS) {
			const known = await this.ask(there.map((fact) => fact + part));
			const isThere = (fact: string) => known.has(fact + part);
			// What an earlier question has left.
			if (part !== PARTS[0]) await this.forget(...there.filter((fact) => !isThere(fact)));
			there = there.filter(isThere);
		}
		const all = new Set(there);
		return facts.map((fact) => all.has(fact));
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

	/** Takes facts away. Where that cannot be done they stay, and are looked for in vain. */
	async forget(...facts: string[]): Promise<void> {
		await this.inTurn(async () => await this.remove(entriesOf(facts))).catch(() => undefined);
	}

	private async checkFacts(facts: string[]): Promise<boolean[]> {
		const known = await this.check(entriesOf(facts));
		return facts.map((fact) => PARTS.every((part) => known.has(fact + part)));
	}

	/**
	 * Records entries.
	 *
	 * @param more that n8n keeps for this once, so that they push nothing out
	 * @returns those that were there before
	 */
	private async check(entries: string[], more = 0): Promise<Set<string>> {
		if (entries.length === 0) return new Set();
		const { helpers } = this.context;
		const maxEntries = this.maxEntries + more;
		// n8n records twice what is given twice.
		const different = [...new Set(entries)];
		const options: ICheckProcessedOptions = { mode: 'entries', maxEntries };
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
