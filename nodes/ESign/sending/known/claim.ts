import { client, type Timestamp } from '../../client';
import type { NodeMemory } from './nodeMemory';

/** What is sent so long after it was claimed is claimed once more: others no longer wait for it. */
const LASTS_MS = 5_000;

/** So often it is claimed while n8n's database takes longer than that. */
const MAX_TIMES = 3;

export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** So many claims that have ended are passed with one question. */
const AT_ONCE = 10;

/**
 * Of several that want the same at once, on whatever worker, the first that claims it goes first.
 * Claims are numbered, and never taken back: the next one counts once nothing can come of those
 * before. Who was killed keeps one.
 */
export class Claim {
	/** When another one was seen to have claimed it, by the client's clock; 0: none. */
	lostAt = 0;

	/** Whether something may have come of others' claims, of late, since somebody has looked. */
	mayHaveCome = false;

	/** Whose the last claim that was looked at is, until it has ended. */
	private owner: 'nobody' | 'another' | 'us' = 'nobody';

	/** The number of that claim; -1: none was looked at. */
	private number = -1;

	/** When ours was begun: others may have seen it since then. */
	private takenAt: Timestamp | undefined;

	constructor(
		private readonly memory: NodeMemory,
		private readonly name: string,
	) {}

	/** Whether it was ours when it was last taken. */
	get isOurs(): boolean {
		return this.owner === 'us';
	}

	/** Whether nothing can come any longer of the others who were first. */
	get hasWaited(): boolean {
		return this.isOurs && this.lostAt > 0;
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

	/**
	 * Ours is through: whoever comes later need not wait for it.
	 *
	 * @param hasCome whether something may have come of it
	 */
	async end(hasCome: boolean): Promise<void> {
		if (this.isOurs) await this.markEnded(this.number, hasCome);
	}

	private async takeNext(): Promise<boolean> {
		const { owner, number: before } = this;
		if (owner === 'another') {
			await this.markEnded(before);
			this.mayHaveCome = true;
		}
		let number = before + 1;
		let beganAt = client.moment();
		while (await this.memory.isTaken(this.nameOf(number))) {
			const next = await this.firstOpen(number);
			if (next === number) {
				this.becomes('another', number);
				this.lostAt = client.now();
				return false;
			}
			number = next;
			beganAt = client.moment();
		}
		this.becomes('us', number, beganAt);
		// Whoever comes now waits for the next one: before that was there, it would have sent.
		if (owner === 'us') await this.markEnded(before);
		return true;
	}

	/**
	 * The number of the first claim from this one on that has not ended, or may be free. A claim
	 * itself is never asked for: the question would take away what another process claims meanwhile.
	 */
	private async firstOpen(from: number): Promise<number> {
		const claims = Array.from({ length: AT_ONCE }, (_, more) => this.nameOf(from + more));
		const now = client.moment().wallClock;
		// The clock of whoever has ended it may be ahead of midnight.
		const came = daysOf(now - DAY_MS, now, now + HOUR_MS).flatMap((day) =>
			claims.map((claim) => cameOn(claim, day)),
		);
		const known = await this.memory.has(...claims.map(ended), ...came).catch(() => []);
		const open = claims.findIndex((_, more) => !known[more]);
		// What came of one before that is in every list.
		if (known.slice(AT_ONCE).includes(true)) this.mayHaveCome = true;
		return from + (open < 0 ? AT_ONCE : open);
	}

	private async markEnded(number: number, hasCome = true): Promise<void> {
		const claim = this.nameOf(number);
		const [today = ''] = daysOf(client.moment().wallClock);
		const facts = hasCome ? [ended(claim), cameOn(claim, today)] : [ended(claim)];
		await this.memory.record(...facts).catch(() => undefined);
		if (number === this.number) this.becomes('nobody', number);
	}

	private becomes(owner: Claim['owner'], number: number, takenAt?: Timestamp): void {
		this.owner = owner;
		this.number = number;
		this.takenAt = takenAt;
	}

	private nameOf(number: number): string {
		return `${this.name} is claimed after ${number}`;
	}
}

/** The days (UTC) of moments, in milliseconds since the epoch; each once. */
export function daysOf(...moments: number[]): string[] {
	return [...new Set(moments.map((at) => new Date(at).toISOString().slice(0, 10)))];
}

/** Nothing can come of it any longer. */
function ended(claim: string): string {
	return `${claim}, and that has ended`;
}

/** Something may have come of it, at the latest on that day. */
function cameOn(claim: string, day: string): string {
	return `${claim}, until ${day}`;
}
