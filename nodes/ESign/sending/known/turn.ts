import { client } from '../../client';
import type { NodeMemory } from './nodeMemory';

/**
 * The turn of whoever is at work on the same title for the same people, on whatever worker. What
 * was left in doubt, or killed, keeps it.
 */
export class Turn {
	/** What this run has recorded. */
	private readonly ours: string[] = [];

	/** What nobody has to wait for once something came of it. */
	private readonly over: string[] = [];

	/** How often it has asked to look. */
	private looks = 0;

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
		if (!isTaken) {
			this.ours.push(turn);
			this.over.push(turn);
		}
		return !isTaken;
	}

	/**
	 * Takes the turn to look for what is there already, which is recorded before the look; next time
	 * the one after that. So of several who have waited for the same one, one goes on.
	 *
	 * @returns `isFree`: false if another worker is at it, or n8n was killed; `wasThere`: whether
	 * somebody has looked for it before
	 */
	async takeToLook(): Promise<{ isFree: boolean; wasThere: boolean }> {
		const { memory, name } = this;
		const wanted = `wanted ${name}`;
		const turn = `turn ${name} to look ${this.looks++}`;
		// A form that is submitted twice comes to two workers at the same moment.
		const taken = await memory.isTaken(turn, wanted).catch(() => undefined);
		const isTaken = taken?.isTaken === true;
		const wasThere = taken?.wereThere.includes(true) === true;
		this.over.push(turn);
		if (!isTaken) this.ours.push(turn, ...(wasThere ? [] : [wanted]));
		return { isFree: !isTaken, wasThere };
	}

	/** @param isMade whether something came of it, which whoever looks from now on finds */
	async giveBack(isMade: boolean): Promise<void> {
		await this.memory.forget(...(isMade ? this.over : this.ours));
	}
}
