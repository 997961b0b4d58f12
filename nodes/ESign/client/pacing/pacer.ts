import { RateWindow, type RateReading } from './rateWindow';
import type { Clock } from '../settings';
import { Cancelled, pause, throwIfCancelled } from './pause';
import { Turns } from './turns';

/** How long an unanswered probe keeps the others back before one more may go. */
const PROBE_PATIENCE_MS = 2_000;

/** Allows one request to be sent. It must be handed back, with what the answer said about the limit. */
export type Permit = { sentAt: number; waitedMs: number };

/** What an answer said about the limit; `unanswered` if no answer came. */
export type Answer = RateReading | 'no limit' | 'unanswered';

/** The window of this key ends later than anybody wants to wait. */
export class WaitTooLong extends Error {
	constructor(readonly waitMs: number) {
		super('The rate limit resets too late');
	}
}

/** How long a request may be kept waiting. */
export type Patience = {
	/** For one window to end, in milliseconds. */
	patienceMs: number;
	/** In all, by the clock. */
	deadline: number;
};

type Waiter = Patience & { since: number; grant: (permit: Permit) => void; refuse: (error: Error) => void };

/**
 * Lets the requests of one key go as the limit of docs/service.md section 8 allows: none that the headers already rule
 * out, and none later than need be. Shared by all items, executions and nodes of the process.
 *
 * As long as the state of the window is unknown, before the first answer and when a window has just ended, one request
 * goes alone and the others wait for its answer: it says how much room there is, also when others spend from the key.
 */
export class Pacer {
	private readonly window = new RateWindow();

	private readonly waiting = new Turns<Waiter>();

	private readonly unanswered = new Set<Permit>();

	private lastSentAt = -Infinity;

	private wakeAt: number | undefined;

	private usedAt: number;

	constructor(private readonly clock: Clock) {
		this.usedAt = clock.now();
	}

	/** The limit that the service last named, in requests per window. */
	get limit(): number | undefined {
		return this.window.limit;
	}

	/** Nobody waits, nothing is under way, and the last window ended so many milliseconds ago. */
	isIdle(forMs: number): boolean {
		const quietSince = Math.max(this.usedAt, this.window.endsAt);
		return this.waiting.size === 0 && this.unanswered.size === 0 && this.clock.now() - quietSince >= forMs;
	}

	/**
	 * Waits until one request may be sent.
	 *
	 * @param group requests of one group (an execution) keep their order; groups take turns
	 * @throws Cancelled when the signal fires first
	 * @throws WaitTooLong as soon as it is known that the wait would be longer than the patience allows
	 */
	async permit(group: unknown, patience: Patience, signal: AbortSignal | undefined): Promise<Permit> {
		throwIfCancelled(signal);
		let cancel = (): void => undefined;
		const permit = new Promise<Permit>((grant, refuse) => {
			const waiter: Waiter = { ...patience, since: this.clock.now(), grant, refuse };
			cancel = () => {
				this.waiting.remove(group, waiter);
				refuse(new Cancelled());
			};
			this.waiting.add(group, waiter);
		});
		signal?.addEventListener('abort', cancel);
		this.serve();
		try {
			return await permit;
		} finally {
			signal?.removeEventListener('abort', cancel);
		}
	}

	/** Hands a permit back and learns from the answer. */
	answered(permit: Permit, answer: Answer): void {
		this.unanswered.delete(permit);
		this.usedAt = this.clock.now();
		if (answer === 'no limit') this.window.readNoLimit(this.usedAt);
		else if (answer === 'unanswered') this.window.readNothing(this.usedAt);
		else this.window.read(answer);
		this.serve();
	}

	private serve(): void {
		while (this.waiting.size > 0) {
			const now = this.clock.now();
			const waitMs = this.waitBefore(now);
			if (waitMs > 0) {
				this.wakeIn(now, waitMs);
				return;
			}
			const waiter = this.waiting.take();
			if (!waiter) return;
			const permit = { sentAt: now, waitedMs: now - waiter.since };
			this.unanswered.add(permit);
			this.lastSentAt = now;
			this.usedAt = now;
			waiter.grant(permit);
		}
	}

	/** Milliseconds before the next request may go; 0 for now. */
	private waitBefore(now: number): number {
		const verdict = this.window.verdict(now, this.unanswered.size);
		if (!verdict.go) return verdict.waitMs;
		if (!verdict.alone || !this.hasProbeUnderWay()) return 0;
		return Math.max(this.lastSentAt + PROBE_PATIENCE_MS - now, 0);
	}

	private hasProbeUnderWay(): boolean {
		for (const permit of this.unanswered) if (permit.sentAt >= this.window.endsAt) return true;
		return false;
	}

	private wakeIn(now: number, waitMs: number): void {
		this.refuseTheImpatient(now, waitMs);
		const at = now + waitMs;
		if (this.waiting.size === 0 || (this.wakeAt !== undefined && this.wakeAt <= at && this.wakeAt > now)) return;
		this.wakeAt = at;
		void pause(this.clock, waitMs).then(() => {
			if (this.wakeAt === at) this.wakeAt = undefined;
			this.serve();
		});
	}

	private refuseTheImpatient(now: number, waitMs: number): void {
		for (const { group, entry } of this.waiting.entries()) {
			if (waitMs <= entry.patienceMs && now + waitMs <= entry.deadline) continue;
			this.waiting.remove(group, entry);
			entry.refuse(new WaitTooLong(waitMs));
		}
	}
}
