import { client } from '../../client';
import type { NodeMemory } from './nodeMemory';

/**
 * The turn of whoever is at work on the same title for the same people, on whatever worker. What
 * was left in doubt, or killed, keeps it.
 */
export class Turn {
	/** Whether those before are through, or nothing can come of them any longer. */
	isUp = false;

	/** The turns before this one, and this one. */
	private readonly turns: string[] = [];

	/** Whether nobody has looked for it before. */
	private isFirst = false;

	/** The turn to send it in one request. */
	private toSend: string[] = [];

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
		if (!isTaken) this.toSend = [turn];
		return !isTaken;
	}

	/**
	 * Takes the first turn that nobody has, to look for what is there already. That it is wanted is
	 * recorded with it.
	 *
	 * @returns `before`: how many are at it on other workers, or were killed; `wasThere`: whether
	 * somebody has looked for it before
	 */
	async takeToLook(): Promise<{ before: number; wasThere: boolean }> {
		for (let before = 0; ; before++) {
			const turn = this.turnAfter(before);
			this.turns.push(turn);
			// A form that is submitted twice comes to two workers at the same moment.
			const taken = await this.memory.isTaken(turn, this.wanted).catch(() => undefined);
			if (taken?.isTaken) continue;

			const wasThere = before > 0 || taken?.wereThere.includes(true) === true;
			this.isFirst = !wasThere;
			this.isUp = before === 0;
			return { before, wasThere };
		}
	}

	/**
	 * Gives back the turn, and those that it has waited for; what is in doubt keeps one of them.
	 * While somebody waits behind it they all stay: whoever came next would create at the same time.
	 *
	 * @param outcome what came of it: whoever looks from now on finds what was made
	 */
	async giveBack(outcome: 'made' | 'nothing' | 'in doubt'): Promise<void> {
		const { memory, turns } = this;
		const gone = outcome === 'in doubt' ? [] : [...this.toSend];
		if (outcome === 'made') gone.push(...turns);
		else if (turns.length > 0) {
			const behind = this.turnAfter(turns.length);
			const [isAwaited] = await memory.record(behind).catch(() => []);
			if (!isAwaited) gone.push(behind, ...this.passed(outcome));
		}
		await memory.forget(...gone);
	}

	/** What nobody is to wait for, though nothing was made. */
	private passed(outcome: 'nothing' | 'in doubt'): string[] {
		const { turns, isUp, isFirst } = this;
		// The others before may be at it.
		if (!isUp) return turns.slice(-1);
		return outcome === 'in doubt' ? turns.slice(1) : [...turns, ...(isFirst ? [this.wanted] : [])];
	}

	private get wanted(): string {
		return `wanted ${this.name}`;
	}

	private turnAfter(others: number): string {
		return `turn ${this.name} to look ${others}`;
	}
}
