import { client, type Timestamp } from '../../client';
import type { NodeMemory } from './nodeMemory';

/** What is sent so long after it was claimed is claimed once more: others no longer wait for it. */
const LASTS_MS = 5_000;

/**
 * Of several retries of an item at once the first that claims it sends it. Claims are numbered, and
 * never taken back: the next one counts once nothing can come of those before.
 */
export class Claim {
	/** When another one was seen to have claimed it, by the client's clock; 0: none. */
	lostAt = 0;

	private others = 0;

	/** Whether somebody has the one of this number: this one, or another that was first. */
	private isTaken = false;

	/** Unset: it is not ours. */
	private takenAt: Timestamp | undefined;

	constructor(
		private readonly memory: NodeMemory,
		private readonly item: string,
	) {}

	/**
	 * @returns false if another one was first. Then this is called again once nothing can come of
	 * that any longer, and takes the next. Throws where n8n cannot record.
	 */
	async take(): Promise<boolean> {
		const { takenAt } = this;
		if (takenAt && client.elapsedSince(takenAt) < LASTS_MS) return true;
		await this.end();
		while ((await this.memory.isTaken(this.claim)).isTaken) {
			const [hasEnded] = await this.memory.has(this.claim, this.ended).catch(() => [false]);
			if (!hasEnded) {
				this.lostAt = client.now();
				this.isTaken = true;
				return false;
			}
			this.others++;
		}
		this.takenAt = client.moment();
		this.isTaken = true;
		return true;
	}

	/** Nothing was sent. */
	async giveUp(): Promise<void> {
		if (this.takenAt) await this.end();
	}

	/** Nothing can come of the claim any longer: whoever comes later need not wait for it. */
	private async end(): Promise<void> {
		if (!this.isTaken) return;
		await this.memory.record(this.ended).catch(() => undefined);
		this.others++;
		this.isTaken = false;
		this.takenAt = undefined;
	}

	private get claim(): string {
		return `${this.item} is claimed after ${this.others}`;
	}

	private get ended(): string {
		return `${this.claim}, and that has ended`;
	}
}
