import { RateWindow, type RateReading } from './rateWindow';
import type { Clock } from '../session/settings';
import { Turns } from './turns';
import { Cancelled, throwIfCancelled } from './waiting';

/** How long an unanswered probe keeps the others back before one more may go. */
const PROBE_PATIENCE_MS = 2_000;

/** Slept at most at once, so that a wait that has become shorter is noticed. */
const SLICE_MS = 200;

/** The permit to send one request. It must be handed back, with what the answer said about the limit. */
export type Permit = { sentAt: number; waitedMs: number };

/** What an answer said about the limit; `unanswered` if no answer came. */
export type Answer = RateReading | 'no limit' | 'unanswered';

/** The window of this key ends later than anybody wants to wait. */
export class WaitTooLong extends Error {
	constructor(readonly waitMs: number) {
		super('The rate limit resets too late');
	}
}

type Waiter = { since: number; patienceMs: number; grant: (permit: Permit) => void; refuse: (error: Error) => void };

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
	 * Waits for permit to send one request.
	 *
	 * @param group requests of one group (an execution) keep their order; groups take turns
	 * @throws Cancelled when the signal fires first
	 * @throws WaitTooLong when the window is spent for longer than `patienceMs`
	 */
	async permit(group: unknown, patienceMs: number, signal: AbortSignal | undefined): Promise<Permit> {
		throwIfCancelled(signal);
		return await new Promise<Permit>((resolve, reject) => {
			const settle = () => signal?.removeEventListener('abort', cancel);
			const waiter: Waiter = {
				since: this.clock.now(),
				patienceMs,
				grant: (permit) => {
					settle();
					resolve(permit);
				},
				refuse: (error) => {
					settle();
					reject(error);
				},
			};
			const cancel = () => {
				this.waiting.remove(group, waiter);
				waiter.refuse(new Cancelled());
			};
			signal?.addEventListener('abort', cancel);
			this.waiting.add(group, waiter);
			this.serve();
		});
	}

	/** Hands a permit back and learns from the answer. */
	answered(permit: Permit, answer: Answer): void {
		this.unanswered.delete(permit);
		this.usedAt = this.clock.now();
		if (answer === 'no limit') this.window.readNoLimit();
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
		this.refuseTheImpatient(waitMs);
		const at = now + Math.min(waitMs, SLICE_MS);
		if (this.waiting.size === 0 || (this.wakeAt !== undefined && this.wakeAt <= at && this.wakeAt > now)) return;
		this.wakeAt = at;
		void this.clock.sleep(at - now).then(() => {
			if (this.wakeAt === at) this.wakeAt = undefined;
			this.serve();
		});
	}

	private refuseTheImpatient(waitMs: number): void {
		for (const { group, entry } of this.waiting.entries()) {
			if (waitMs <= entry.patienceMs) continue;
			this.waiting.remove(group, entry);
			entry.refuse(new WaitTooLong(waitMs));
		}
	}
}
