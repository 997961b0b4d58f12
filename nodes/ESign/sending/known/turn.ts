import type { NodeMemory } from './nodeMemory';

/** A turn of those who are at work on the same. */
export interface Place {
	/** How many are before, on other workers, or were killed. */
	before: number;
	/** Whether somebody may have wanted it before. */
	wasThere: boolean;
	/** Why n8n cannot tell. */
	failure?: Error;
}

/**
 * The queue of those who are at work on the same, on whatever worker. Turns are numbered: the first
 * waits for nobody. Who was killed keeps one.
 */
export class Turn {
	private place: Place | undefined;

	/** Given back once this is through. */
	private taken: string[] = [];

	/** @param wanted is recorded with the turn: somebody wants it */
	constructor(
		private readonly memory: NodeMemory,
		private readonly name: string,
		private readonly wanted: string,
	) {}

	/** Takes the first turn that nobody has. Once it is taken, that one is returned. */
	async take(): Promise<Place> {
		for (let before = 0; !this.place; before++) {
			const turn = this.turnAfter(before);
			try {
				// A form that is submitted twice comes to two workers at the same moment. One of those
				// before may just have seen nobody behind it: nobody comes between with what it gives back.
				const others = [this.wanted, ...this.turnsBefore(before)];
				const { isTaken, wereThere } = await this.memory.isTaken(turn, ...others);
				if (isTaken) continue;

				this.taken = [turn];
				this.place = { before, wasThere: before > 0 || wereThere[0] !== false };
			} catch (error) {
				this.place = { before, wasThere: true, failure: error as Error };
			}
		}
		return this.place;
	}

	/** How many are before it, once it is taken. */
	get before(): number {
		return this.place?.before ?? 0;
	}

	/** Whoever has the first turn waits before it begins, for what an earlier try has left. */
	async noteWait(): Promise<void> {
		if (this.place?.before !== 0) return;
		await this.memory.record(this.waiting).catch(() => undefined);
		this.taken.push(this.waiting);
	}

	/** Whether the one with the first turn has begun only after it had waited itself. */
	async hasFirstWaited(): Promise<boolean> {
		if (this.before === 0) return false;
		const { memory, waiting } = this;
		const [hasWaited = true] = await memory.record(waiting).catch(() => []);
		if (hasWaited) this.taken.push(waiting);
		else await memory.forget(waiting);
		return hasWaited;
	}

	/** Nothing can come of those before any longer: this turn is the first now. */
	async moveUp(): Promise<void> {
		const { place } = this;
		if (!place?.before) return;
		this.taken.push(...this.turnsBefore(place.before).slice(1));
		await this.giveBack([]);
		this.taken = [this.turnAfter(0)];
		this.place = { ...place, before: 0 };
	}

	/** That it is wanted, if nobody had wanted it before. */
	get wish(): string[] {
		return this.place?.wasThere === false ? [this.wanted] : [];
	}

	/**
	 * Gives back what was taken, and takes other entries away with it, unless somebody waits behind:
	 * whoever came next would be at it at the same time.
	 *
	 * @param isThere what they want: whoever comes finds it, and waits for none of those before
	 */
	async giveBack(others: string[], isThere = false): Promise<void> {
		const { memory, place, taken } = this;
		this.taken = [];
		if (!place || taken.length === 0) return;
		const behind = this.turnAfter(place.before + 1);
		const [isAwaited] = await memory.record(behind).catch(() => [true]);
		const before = isThere ? [...this.turnsBefore(place.before), this.waiting] : [];
		if (!isAwaited) await memory.forget(behind, ...before, ...taken, ...others);
	}

	private get waiting(): string {
		return `${this.turnAfter(0)}, and waits`;
	}

	private turnsBefore(turn: number): string[] {
		return Array.from({ length: turn }, (_, others) => this.turnAfter(others));
	}

	private turnAfter(others: number): string {
		return `turn ${this.name} to look ${others}`;
	}
}
