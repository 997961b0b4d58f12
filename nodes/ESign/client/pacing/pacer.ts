import { RateWindow, type Answer } from './rateWindow';
import type { Clock } from '../settings';
import { Cancelled, OneAtATime, unlessFired } from './pause';

/** How long an unanswered probe keeps the others back before one more may go. */
const PROBE_PATIENCE_MS = 2_000;

/** Allows one request to be sent; to be handed back with what the answer said about the limit. */
export type Permit = { sentAt: number; waitedMs: number };

/** The window of this key ends later than anybody wants to wait. */
export class WaitTooLong extends Error {
	constructor(readonly waitMs: number) {
		super('The rate limit resets too late');
	}
}

/**
 * How long a request may be kept waiting: for one window to end, and in all, by the clock, unless
 * the signal ends it.
 */
export type Patience = { patienceMs: number; deadline: number; signal?: AbortSignal };

/**
 * Lets the requests of one key go as the limit allows (docs/service.md section 8): none that the
 * headers rule out, and none later than need be. While the state of the window is unknown, one
 * request goes alone and the others wait for its answer: it says how much room there is, also when
 * others spend from the key.
 */
export class Pacer {
	private readonly window = new RateWindow();
	private readonly unanswered = new Set<Permit>();
	private readonly turns = new OneAtATime();
	/** Ends the pause of all that wait: they look again, in the order in which they came. */
	private alarm = new AbortController();
	private pause: Promise<void> | undefined;

	constructor(private readonly clock: Clock) {}

	get limit(): number | undefined {
		return this.window.limit;
	}

	/**
	 * Waits until one request may be sent. Those of a group wait one after the other, so that a
	 * single request does not wait for a hundred others. @throws Cancelled, WaitTooLong as soon as it
	 * is known
	 */
	async permit(group: unknown, patience: Patience): Promise<Permit> {
		const since = this.clock.now();
		return await this.turns.run(
			group,
			async () => await this.permitSince(since, patience),
			patience.signal,
		);
	}

	answered(permit: Permit, answer: Answer): void {
		this.unanswered.delete(permit);
		if (answer === 'no limit') this.window.readNoLimit(this.clock.now());
		else if (answer === 'unanswered') this.window.readNothing();
		else this.window.read(answer);
		this.alarm.abort();
	}

	private async permitSince(since: number, patience: Patience): Promise<Permit> {
		const { patienceMs, deadline, signal } = patience;
		for (;;) {
			if (signal?.aborted) throw new Cancelled();
			const now = this.clock.now();
			const waitMs = this.waitBefore(now);
			if (waitMs === 0) {
				const permit = { sentAt: now, waitedMs: now - since };
				this.unanswered.add(permit);
				return permit;
			}
			if (waitMs > patienceMs || now + waitMs > deadline) throw new WaitTooLong(waitMs);
			this.pause ??= this.pauseFor(waitMs);
			await unlessFired(signal, this.pause);
		}
	}

	private async pauseFor(milliseconds: number): Promise<void> {
		this.alarm = new AbortController();
		await this.clock.sleep(milliseconds, this.alarm.signal);
		this.pause = undefined;
	}

	/** Milliseconds before the next request may go; 0 for now. */
	private waitBefore(now: number): number {
		const { waitMs, alone } = this.window.verdict(now, this.unanswered.size);
		if (!alone) return waitMs;
		const probes = [...this.unanswered]
			.map(({ sentAt }) => sentAt)
			.filter((sentAt) => sentAt >= this.window.endsAt);
		return Math.max(0, ...probes.map((sentAt) => sentAt + PROBE_PATIENCE_MS - now));
	}
}
