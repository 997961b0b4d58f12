import type { NodeMemory } from './nodeMemory';

/**
 * The queue of those who want the same title for the same people, on whatever worker. Turns are
 * numbered: the first waits for nobody. Who was killed keeps one.
 */
export class Turn {
	/** How many are before, on other workers, or were killed. */
	before = 0;

	/** Whether somebody may have wanted the same before. */
	wasWanted = true;

	/** Whether nothing can come any longer of those who were before. */
	hasWaited = false;

	/** Whether what they want is there, and out: whoever comes finds it. */
	isThere = false;

	private taken: string[] = [];

	constructor(
		private readonly memory: NodeMemory,
		private readonly name: string,
	) {}

	/** Takes the first turn that nobody has. */
	async take(): Promise<void> {
		try {
			while (!(await this.takeNext())) this.before++;
		} catch {
			// n8n cannot tell: it waits for those that were seen.
		}
	}

	/** Nothing can come of those before any longer: this turn is the first now. */
	async moveUp(): Promise<void> {
		this.hasWaited = true;
		if (this.taken.length === 0) return;
		this.taken.push(...this.turnsBefore().slice(1));
		await this.giveBackWith([]);
		this.before = 0;
		this.taken = [this.turnAfter(0)];
	}

	/** Gives the turn back. It stays wanted: whoever looks from now on reads the list again. */
	async giveBack(): Promise<void> {
		// Nobody waits for those before, if it is there.
		await this.giveBackWith(this.isThere ? this.turnsBefore() : []);
	}

	/** Gives the turn back where nothing has come of it. */
	async abandon(): Promise<void> {
		await this.giveBackWith(this.wasWanted ? [] : [this.wanted]);
	}

	private async takeNext(): Promise<boolean> {
		const turn = this.turnAfter(this.before);
		// A form that is submitted twice comes to two workers at the same moment. One of those before
		// may just have seen nobody behind it: nobody comes between with what it gives back.
		const others = [this.wanted, ...this.turnsBefore()];
		const { isTaken, wereThere } = await this.memory.isTaken(turn, ...others);
		if (isTaken) return false;

		this.taken = [turn];
		this.wasWanted = this.before > 0 || wereThere[0] !== false;
		return true;
	}

	/** Unless somebody waits behind: whoever came next would be at it at the same time. */
	private async giveBackWith(others: string[]): Promise<void> {
		const { memory, taken } = this;
		this.taken = [];
		if (taken.length === 0) return;
		const behind = this.turnAfter(this.before + 1);
		const [isAwaited] = await memory.record(behind).catch(() => [true]);
		if (!isAwaited) await memory.forget(behind, ...taken, ...others);
	}

	private get wanted(): string {
		return `wanted ${this.name}`;
	}

	private turnsBefore(): string[] {
		return Array.from({ length: this.before }, (_, others) => this.turnAfter(others));
	}

	private turnAfter(others: number): string {
		return `turn ${this.name} to look ${others}`;
	}
}
