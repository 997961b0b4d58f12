import { client } from '../../client';
import type { NodeMemory } from './nodeMemory';

/**
 * The turn of whoever is at work on the same title for the same people, on whatever worker. Turns
 * to look are numbered: the first waits for nobody. Who is in doubt, or was killed, keeps one.
 */
export class Turn {
	/** Whether nothing can come any longer of what was begun before this was taken. */
	hasWaited = false;

	/** How many turns to look are before this one, where one was taken. */
	private before: number | undefined;

	/** What is given back once this is through. */
	private taken: string[] = [];

	constructor(
		private readonly memory: NodeMemory,
		private readonly name: string,
	) {}

	/**
	 * Takes the turn to send it in one request, and records something else with it. Whoever was
	 * killed holds that up until the next day.
	 *
	 * @returns whether it is ours; not where n8n cannot record
	 */
	async takeToSend(...others: string[]): Promise<boolean> {
		const day = new Date(client.moment().wallClock).toISOString().slice(0, 10);
		const turn = `turn ${this.name} on ${day}`;
		const [isTaken = true] = await this.memory.record(turn, ...others).catch(() => []);
		if (!isTaken) this.taken.push(turn);
		return !isTaken;
	}

	/**
	 * Takes the first turn that nobody has, to look for what is there already. That it is wanted is
	 * recorded with it.
	 *
	 * @returns `before`: how many are at it on other workers, or were killed; `wasThere`: whether
	 * somebody has looked for it before, also where n8n cannot record
	 */
	async takeToLook(): Promise<{ before: number; wasThere: boolean }> {
		for (let before = 0; ; before++) {
			const turn = this.turnAfter(before);
			// A form that is submitted twice comes to two workers at the same moment.
			const taken = await this.memory.isTaken(turn, this.wanted).catch(() => undefined);
			if (taken?.isTaken) continue;

			const isFirst = before === 0 && taken?.wereThere[0] === false;
			this.taken = isFirst ? [turn, this.wanted] : [turn];
			this.before = before;
			return { before, wasThere: !isFirst };
		}
	}

	/** Nothing can come of those before any longer: this turn is the first now. */
	async moveUp(): Promise<void> {
		if (!this.before) return;
		this.taken = Array.from({ length: this.before }, (_, index) => this.turnAfter(index + 1));
		await this.giveBack();
		this.taken = [this.turnAfter(0)];
		this.before = 0;
		this.hasWaited = true;
	}

	/**
	 * Gives back what was taken, unless somebody waits behind it: whoever came next would create at
	 * the same time.
	 *
	 * @param isMade then it stays wanted: whoever looks from now on reads the list again
	 */
	async giveBack({ isMade = false } = {}): Promise<void> {
		const { memory, before, taken, wanted } = this;
		this.taken = [];
		const gone = taken.filter((entry) => !isMade || entry !== wanted);
		const behind = before === undefined ? [] : [this.turnAfter(before + 1)];
		const [isAwaited] = await memory.record(...behind).catch(() => [true]);
		if (!isAwaited) await memory.forget(...behind, ...gone);
	}

	private get wanted(): string {
		return `wanted ${this.name}`;
	}

	private turnAfter(others: number): string {
		return `turn ${this.name} to look ${others}`;
	}
}
