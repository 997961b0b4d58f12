import { randomUUID } from 'crypto';
import { client } from '../../client';
import type { NodeMemory } from './nodeMemory';

/**
 * The turn of whoever is at work on the same title for the same people, on whatever worker. What
 * was left in doubt, or killed, holds it up until the next day.
 */
export class Turn {
	/** Whether this run has taken it, and gives it back: another one may have it since. */
	isOurs = false;

	/** Stands in n8n's memory for it. */
	private readonly entry: string;

	/** Stands there with it where it is ours: no other process records that. */
	private readonly ours: string;

	/** What was recorded before the look, and is taken away if nothing comes of it. */
	private lookedFor: string[] = [];

	constructor(
		private readonly memory: NodeMemory,
		private readonly name: string,
	) {
		const day = new Date(client.moment().wallClock).toISOString().slice(0, 10);
		this.entry = `turn ${name} on ${day}`;
		this.ours = `${this.entry} of ${randomUUID()}`;
	}

	/**
	 * Takes it until it is known what came of the item, and records something else with it.
	 *
	 * @returns whether it is ours; not where n8n cannot record
	 */
	async take(...others: string[]): Promise<boolean> {
		const [isTaken] = await this.memory.record(this.entry, ...others).catch(() => []);
		this.isOurs ||= isTaken === false;
		return this.isOurs;
	}

	/**
	 * Takes it to look for what is there already, which is recorded before the look.
	 *
	 * @returns `isFree`: false if another worker is at it, or n8n was killed; `wasThere`: whether
	 * somebody has looked for it before
	 */
	async takeToLook(): Promise<{ isFree: boolean; wasThere: boolean }> {
		const wanted = `wanted ${this.name}`;
		const [wasThere = false] = await this.memory.record(wanted).catch(() => []);
		if (!wasThere) this.lookedFor = [wanted];
		// A form that is submitted twice comes to two workers at the same moment.
		const turn = this.memory.recordSafely(this.entry, this.ours);
		const [isTaken = false, isOurs = false] = await turn.catch(() => []);
		this.isOurs = isOurs;
		return { isFree: isOurs || !isTaken, wasThere };
	}

	/** @param isMade whether something came of it */
	async giveBack(isMade: boolean): Promise<void> {
		const lookedFor = isMade ? [] : this.lookedFor;
		if (this.isOurs) await this.memory.forget(this.entry, this.ours, ...lookedFor);
	}
}
