import { RateWindow, type Answer } from './rateWindow';
import type { Clock } from '../settings';
import { unlessFired } from './pause';

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

type Waiter = Patience & {
	group: unknown;
	/** Each group has one place in each round. */
	round: number;
	since: number;
	grant: (permit: Permit) => void;
	refuse: (error: Error) => void;
};

/**
 * Lets the requests of one key go as the limit allows (docs/service.md section 8): none that the
 * headers rule out, and none later than need be. While the state of the window is unknown, one
 * request goes alone and the others wait for its answer: it says how much room there is, also when
 * others spend from the key.
 */
export class Pacer {
	private readonly window = new RateWindow();
	/** In the order in which they go. */
	private waiting: Waiter[] = [];
	/** Of whoever went last. */
	private round = 0;
	private readonly unanswered = new Set<Permit>();
	/** When it is looked next who may go. A later one takes its place. */
	private alarm = new AbortController();

	constructor(private readonly clock: Clock) {}

	get limit(): number | undefined {
		return this.window.limit;
	}

	/**
	 * Waits until one request may be sent. Those of a group keep their order; groups take turns, so
	 * that a single request does not wait for a hundred others. @throws Cancelled, WaitTooLong as
	 * soon as it is known
	 */
	async permit(group: unknown, { patienceMs, deadline, signal }: Patience): Promise<Permit> {
		const permit = new Promise<Permit>((grant, refuse) => {
			const before = this.waiting.findLast((one) => one.group === group);
			const round = 1 + (before?.round ?? this.round);
			const since = this.clock.now();
			const waiter = { patienceMs, deadline, signal, group, round, since, grant, refuse };
			this.waiting = [...this.waiting, waiter].sort((one, other) => one.round - other.round);
		});
		const ended = unlessFired(signal, permit);
		this.serve();
		return await ended;
	}

	answered(permit: Permit, answer: Answer): void {
		this.unanswered.delete(permit);
		if (answer === 'no limit') this.window.readNoLimit(this.clock.now());
		else if (answer === 'unanswered') this.window.readNothing();
		else this.window.read(answer);
		this.serve();
	}

	private serve(): void {
		this.waiting = this.waiting.filter(({ signal }) => signal?.aborted !== true);
		for (let waiter = this.waiting[0]; waiter; waiter = this.waiting[0]) {
			const now = this.clock.now();
			const waitMs = this.waitBefore(now);
			if (waitMs > 0) return this.wakeIn(now, waitMs);
			this.waiting.shift();
			const permit = { sentAt: now, waitedMs: now - waiter.since };
			this.unanswered.add(permit);
			this.round = waiter.round;
			waiter.grant(permit);
		}
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

	private wakeIn(now: number, waitMs: number): void {
		this.waiting = this.waiting.filter(({ patienceMs, deadline, refuse }) => {
			const isPatient = waitMs <= patienceMs && now + waitMs <= deadline;
			if (!isPatient) refuse(new WaitTooLong(waitMs));
			return isPatient;
		});
		this.alarm.abort();
		const { signal } = (this.alarm = new AbortController());
		void this.clock.sleep(waitMs, signal).then(() => signal.aborted || this.serve());
	}
}
