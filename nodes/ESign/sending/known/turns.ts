import { client } from '../../client';
import type { NodeMemory } from './nodeMemory';
import { Turn, type Place } from './turn';

/** The turns that an item waits for before it is sent. */
export class Turns {
	/** Whether nothing can come any longer of what others had begun before these were taken. */
	hasWaited = false;

	/** Whether what was wanted was there already, and out: whoever wants the same finds it. */
	isThere = false;

	/** Among the executions that are retried from each other. */
	readonly ofItem: Turn | undefined;

	/** Among all that want the same title for the same people, where Skip If Created is set. */
	private readonly ofTitle: Turn | undefined;

	/** To send it in one request. */
	private toSend: string | undefined;

	/** What is taken away with the item's turn. */
	private gone: string[] = [];

	constructor(
		private readonly memory: NodeMemory,
		{ title, item }: { title?: string; item?: string },
	) {
		this.ofTitle = title ? new Turn(memory, title, `wanted ${title}`) : undefined;
		this.ofItem = item ? new Turn(memory, item, item) : undefined;
	}

	/** Takes them. Who is before in one of them is waited for. */
	async take(): Promise<Pick<Place, 'wasThere'>> {
		const places = await this.each(async (turn) => await turn.take());
		return { wasThere: places.some(({ wasThere }) => wasThere) };
	}

	/** How many are before in what was taken. */
	get before(): number {
		return Math.max(0, this.ofTitle?.before ?? 0, this.ofItem?.before ?? 0);
	}

	/** Somebody behind waits longer: what is before this begins only after a wait. */
	async noteWait(): Promise<void> {
		await this.each(async (turn) => await turn.noteWait());
	}

	/** Whether one of those before has begun only after it had waited itself. */
	async hasFirstWaited(): Promise<boolean> {
		const have = await this.each(async (turn) => await turn.hasFirstWaited());
		return have.includes(true);
	}

	/** Nothing can come of those before any longer. */
	async moveUp(): Promise<void> {
		await this.each(async (turn) => await turn.moveUp());
		this.hasWaited = true;
	}

	/**
	 * Takes the only turn of a day to send something in one request, and records something else with
	 * it. Whoever is killed, or in doubt, holds that up until the next day.
	 *
	 * @returns whether it is ours; not where n8n cannot record
	 */
	async takeToSend(name: string, ...others: string[]): Promise<boolean> {
		const day = new Date(client.moment().wallClock).toISOString().slice(0, 10);
		const turn = `turn ${name} on ${day}`;
		const [isTaken = true] = await this.memory.record(turn, ...others).catch(() => []);
		if (!isTaken) this.toSend = turn;
		return !isTaken;
	}

	/**
	 * Gives them back once the item is through.
	 *
	 * @param isMade then it stays wanted: whoever looks from now on reads the list again
	 * @param isOpen then whoever wants the same waits until nothing can come of it
	 */
	async giveBack({ isMade = false, isOpen = false } = {}): Promise<void> {
		await this.ofItem?.giveBack(this.gone, isMade);
		if (isOpen) return;
		await this.ofTitle?.giveBack(isMade ? [] : this.ofTitle.wish, this.isThere);
		if (this.toSend) await this.memory.forget(this.toSend);
		this.toSend = undefined;
	}

	/** Gives them back where nothing was begun. */
	async abandon(): Promise<void> {
		await this.each(async (turn) => await turn.giveBack(turn.wish));
	}

	/**
	 * Takes away what was recorded of the item, of which nothing was sent. In a retry another one may
	 * wait to send it: then that stays.
	 */
	async forget(...entries: string[]): Promise<void> {
		if (this.ofItem) this.gone = entries;
		else await this.memory.forget(...entries);
	}

	private async each<Result>(work: (turn: Turn) => Promise<Result>): Promise<Result[]> {
		const results: Result[] = [];
		for (const turn of [this.ofTitle, this.ofItem]) if (turn) results.push(await work(turn));
		return results;
	}
}
