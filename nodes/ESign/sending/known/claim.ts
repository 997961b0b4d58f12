import { client, type Timestamp } from '../../client';
import type { NodeMemory } from './nodeMemory';

/** What is sent so long after it was claimed is claimed once more: others no longer wait for it. */
const LASTS_MS = 5_000;

/** So often it is claimed while n8n's database takes longer than that. */
const MAX_TIMES = 3;

/**
 * Of several retries of an item at once the first that claims it sends it. Claims are numbered, and
 * never taken back: the next one counts once nothing can come of those before.
 */
export class Claim {
	/** When another one was seen to have claimed it, by the client's clock; 0: none. */
	lostAt = 0;

	/** Whose the claim of this number is, as far as is known. */
	private owner: 'nobody' | 'another' | 'us' = 'nobody';

	private number = 0;

	/** When ours was begun: others may have seen it since then. */
	private takenAt: Timestamp | undefined;

	constructor(
		private readonly memory: NodeMemory,
		private readonly item: string,
	) {}

	/** Whether it was ours when it was last taken. */
	get isOurs(): boolean {
		return this.owner === 'us';
	}

	/**
	 * @returns false if another one was first. Then this is called again once nothing can come of
	 * that any longer, and takes the next. Throws where n8n cannot record, or not in time.
	 */
	async take(): Promise<boolean> {
		for (let times = 0; times < MAX_TIMES; times++) {
			if (this.takenAt && client.elapsedSince(this.takenAt) < LASTS_MS) return true;
			if (!(await this.takeNext())) return false;
		}
		throw new Error("n8n's database is too slow");
	}

	/** Nothing was sent. */
	async giveUp(): Promise<void> {
		if (this.isOurs) await this.end(this.number);
	}

	private async takeNext(): Promise<boolean> {
		const { owner, number: last } = this;
		if (owner === 'another') await this.end(last);
		let number = owner === 'nobody' ? last : last + 1;
		let beganAt = client.moment();
		while ((await this.memory.isTaken(this.nameOf(number))).isTaken) {
			if (!(await this.hasEnded(number))) {
				this.becomes('another', number);
				this.lostAt = client.now();
				return false;
			}
			number++;
			beganAt = client.moment();
		}
		this.becomes('us', number, beganAt);
		// Whoever comes now waits for the next one: before that was there, it would have sent.
		if (owner === 'us') await this.end(last);
		return true;
	}

	private async hasEnded(number: number): Promise<boolean> {
		const claim = this.nameOf(number);
		const [hasEnded = false] = await this.memory.has(ended(claim)).catch(() => []);
		return hasEnded;
	}

	/** Nothing can come of it any longer: whoever comes later need not wait for it. */
	private async end(number: number): Promise<void> {
		await this.memory.record(ended(this.nameOf(number))).catch(() => undefined);
		if (number === this.number) this.becomes('nobody', number + 1);
	}

	private becomes(owner: Claim['owner'], number: number, takenAt?: Timestamp): void {
		this.owner = owner;
		this.number = number;
		this.takenAt = takenAt;
	}

	private nameOf(number: number): string {
		return `${this.item} is claimed after ${number}`;
	}
}

function ended(claim: string): string {
	return `${claim}, and that has ended`;
}
