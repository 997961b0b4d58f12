import type { Instant } from '../settings';
import { asThrown } from '../errors/asThrown';
import { attempt } from '../session/attempt';
import type { PreparedCall } from '../call/exchange';
import { refusal, type FailureSite } from '../errors/failure';
import { WaitTooLong } from '../pacing/pacer';
import { pause, throwIfCancelled } from '../pacing/waiting';
import type { Session } from '../session/session';
import { exhausted, limitUsedUp, outOfTime, type Certainty } from './unanswered';
import type { Outcome, Unanswered } from '../call/outcome';

/** An attempt that reached the service, or may have: after it only the policy of the endpoint says how to go on. */
export type Sent = { outcome: Extract<Outcome, { kind: 'done' | 'refused' | 'unknown' }>; sent: Instant };

/** A service that asks for more patience after a fault is down; the user should know. */
const LONGEST_ASKED_MS = 60_000;

/** The attempts of one call: how many there were, and how long it goes on. */
export class Attempts {
	/** How often the call was sent, or could not be, without an answer. */
	failures = 0;

	/** Nobody knows what an earlier attempt has done: what an error of a later one says about the effect depends on it. */
	inDoubt = false;

	private beganAt: number | undefined;

	private limitedSince: number | undefined;

	constructor(
		private readonly session: Session,
		private readonly site: FailureSite,
	) {}

	get areUsedUp(): boolean {
		return this.failures >= this.session.attempts;
	}

	get spent(): { attempts: number; ms: number } {
		const now = this.session.settings.clock.now();
		return { attempts: this.failures, ms: now - (this.beganAt ?? now) };
	}

	/**
	 * Sends the call as often as it takes to reach the service: a limit is waited out, and what was certainly not sent is sent
	 * again.
	 *
	 * @param sending is told right before each request goes out
	 * @throws Cancelled
	 * @throws NodeApiError when that takes too long
	 */
	async send(call: PreparedCall, sending: (at: Instant) => void): Promise<Sent> {
		for (;;) {
			const { outcome, sent } = await this.attempt(call, sending);
			this.beganAt ??= sent.at;
			if (outcome.kind === 'limited') {
				this.limitedSince ??= sent.at;
				if (this.patienceMs > 0) continue;
				const refused = refusal(this.site, outcome.status, outcome.body);
				throw limitUsedUp(this.site, { waitedMs: this.waitedMs }, this.inDoubt, refused);
			}
			if (outcome.kind === 'done' || outcome.kind === 'refused') return { outcome, sent };
			this.failures += 1;
			this.limitedSince = undefined;
			if (outcome.kind === 'unknown') return { outcome, sent };
			if (outcome.fatal || this.areUsedUp) throw this.exhausted(outcome);
			await this.backOff(outcome);
		}
	}

	/** Waits before the call is sent again. @throws Cancelled, NodeApiError if the call has no time left for that */
	async backOff(outcome: Unanswered): Promise<void> {
		const { settings, signal } = this.session;
		const waitMs = this.backoffMs(outcome);
		this.throwIfTooLate(settings.clock.now() + waitMs, outcome);
		await pause(settings.clock, waitMs, signal);
		throwIfCancelled(signal);
	}

	/** Exponential with jitter, and at least what the service asks for. */
	backoffMs(outcome: Unanswered): number {
		const { settings } = this.session;
		const backoff = Math.min(settings.backoffMs * 2 ** (this.failures - 1), settings.longestBackoffMs);
		const jittered = backoff * (0.5 + settings.random() / 2);
		const asked = outcome.kind === 'unknown' ? (outcome.retryAfterMs ?? 0) : 0;
		return Math.max(jittered, Math.min(asked, LONGEST_ASKED_MS));
	}

	/** @throws NodeApiError if the call is to be given up before that time */
	throwIfTooLate(at: number, { reason }: Unanswered): void {
		if (at >= this.session.deadline) throw outOfTime(this.site, reason, this.inDoubt);
	}

	/** The error of a call that is sent no more. */
	exhausted(outcome: Unanswered, certainty: Certainty = this.inDoubt ? 'in doubt' : 'not sent'): Error {
		return exhausted(this.site, outcome, this.spent, certainty);
	}

	private get waitedMs(): number {
		return this.limitedSince === undefined ? 0 : this.session.settings.clock.now() - this.limitedSince;
	}

	private get patienceMs(): number {
		return this.session.patienceMs - this.waitedMs;
	}

	private async attempt(call: PreparedCall, sending: (at: Instant) => void) {
		try {
			return await attempt(this.session, call, this.patienceMs, sending);
		} catch (error) {
			if (error instanceof WaitTooLong)
				throw limitUsedUp(this.site, { waitedMs: this.waitedMs, resetsInMs: error.waitMs }, this.inDoubt);
			throw asThrown(error);
		}
	}
}
