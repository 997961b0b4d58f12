import { randomUUID } from 'crypto';
import type { NodeMemory } from './nodeMemory';

/**
 * Of several that want the same at once, on whatever worker, one is first. Who is killed keeps the
 * turn: so turns are numbered, and the next one counts once nothing can come of that before.
 */
export class Turn {
	private number = 0;

	private isOurs = false;

	private readonly mark = randomUUID();

	constructor(
		private readonly memory: NodeMemory,
		private readonly name: string,
	) {}

	/** Whether somebody was waited for. */
	get isLater(): boolean {
		return this.number > 0;
	}

	/**
	 * @returns false if another one has it: then this is called again once nothing can come of that.
	 * Throws where n8n cannot record.
	 */
	async take(): Promise<boolean> {
		// What was lost in it may have taken longer than others wait: one of them may be at it.
		if (this.isOurs) this.number += 1;
		const [isTaken, hasMark] = await this.memory.recordSafely(...this.factsOf(this.number));
		this.isOurs = !isTaken || hasMark === true;
		if (!this.isOurs) this.number += 1;
		return this.isOurs;
	}

	/**
	 * Nobody has to wait for this one any longer, nor for those that it has waited for. Who has not
	 * come to a turn has waited for nobody, unless it is through.
	 */
	async end(isThrough = false): Promise<void> {
		if (!this.isOurs && !(isThrough && this.isLater)) return;
		const numbers = Array.from({ length: this.number + 1 }, (_, number) => number);
		await this.memory.forget(...numbers.flatMap((number) => this.factsOf(number)));
	}

	private factsOf(number: number): [string, string] {
		const turn = `${this.name} in turn ${number}`;
		return [turn, `${turn} by ${this.mark}`];
	}
}
