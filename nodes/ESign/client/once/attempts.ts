import type { Outcome, Unanswered } from '../call/outcome';
import { asThrown } from '../errors/asThrown';
import { refusal } from '../errors/failure';
import { WaitTooLong } from '../pacing/pacer';
import { wait } from '../pacing/pause';
import type { ClientSettings, Timestamp } from '../settings';
import { attempt } from './attempt';
import type { Call } from './call';
import { exhausted, limitUsedUp, outOfTime, type Certainty } from './unanswered';

/** An attempt that reached the service, or may have: after it only the policy of the endpoint says how to go on. */
export type Sent = { outcome: Extract<Outcome, { kind: 'done' | 'refused' | 'unknown' }>; sent: Timestamp };

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

	constructor(private readonly call: Call) {}

	get areUsedUp(): boolean {
		return this.failures >= this.call.attempts;
	}

	/**
	 * Sends the call as often as it takes to reach the service: a limit is waited out, and what was certainly not sent is sent
	 * again.
	 *
	 * @param sending is told right before each request goes out
	 * @throws Cancelled
	 * @throws NodeApiError when that takes too long
	 */
	async send(call: Call, sending: (at: Timestamp) => void): Promise<Sent> {
		for (;;) {
			const { outcome, sent } = await this.attempt(call, sending);
			this.beganAt ??= sent.at;
			if (outcome.kind === 'limited') {
				this.limitedSince ??= sent.at;
				if (this.patienceMs > 0) continue;
				const refused = refusal(this.call, outcome.status, outcome.body);
				throw limitUsedUp(this.call, { waitedMs: this.waitedMs }, this.inDoubt, refused);
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
		const { settings, signal } = this.call;
		const waitMs = this.backoffMs(outcome);
		this.throwIfTooLate(settings.clock.now() + waitMs, outcome);
		await wait(settings.clock, waitMs, signal);
	}

	backoffMs(outcome: Unanswered): number {
		return backoffMs(this.call.settings, this.failures, outcome);
	}

	/** @throws NodeApiError if the call is to be given up before that time */
	throwIfTooLate(at: number, { reason }: Unanswered): void {
		if (at >= this.call.deadline) throw outOfTime(this.call, reason, this.inDoubt);
	}

	/** The error of a call that is sent no more. */
	exhausted(outcome: Unanswered, certainty: Certainty = this.inDoubt ? 'in doubt' : 'not sent'): Error {
		const now = this.call.settings.clock.now();
		const spent = { attempts: this.failures, ms: now - (this.beganAt ?? now) };
		return exhausted(this.call, outcome, spent, certainty);
	}

	private get waitedMs(): number {
		return this.limitedSince === undefined ? 0 : this.call.settings.clock.now() - this.limitedSince;
	}

	private get patienceMs(): number {
		return this.call.patienceMs - this.waitedMs;
	}

	private async attempt(call: Call, sending: (at: Timestamp) => void) {
		try {
			return await attempt(call, this.patienceMs, sending);
		} catch (error) {
			if (!(error instanceof WaitTooLong)) throw asThrown(error);
			throw limitUsedUp(this.call, { waitedMs: this.waitedMs, resetsInMs: error.waitMs }, this.inDoubt);
		}
	}
}

/** The pause after so many failures: exponential with jitter, and at least what the service asks for. */
export function backoffMs(
	settings: Pick<ClientSettings, 'backoffMs' | 'longestBackoffMs' | 'random'>,
	failures: number,
	outcome?: Unanswered,
): number {
	const backoff = Math.min(settings.backoffMs * 2 ** (failures - 1), settings.longestBackoffMs);
	const asked = outcome?.kind === 'unknown' ? (outcome.retryAfterMs ?? 0) : 0;
	return Math.max(backoff * (0.5 + settings.random() / 2), Math.min(asked, LONGEST_ASKED_MS));
}
