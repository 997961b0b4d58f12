import { CUT_SHORT, type Outcome, type Unanswered, type Unknown } from '../call/outcome';
import { sendOnce } from '../call/sendOnce';
import { asThrown } from '../errors/failure';
import { exhausted, limitUsedUp, outOfTime, type Certainty } from '../errors/givenUp';
import { redacted } from '../errors/redaction';
import { refusal } from '../errors/refusal';
import { WaitTooLong } from '../pacing/pacer';
import { Cancelled, wait } from '../pacing/pause';
import type { ClientSettings, Timestamp } from '../settings';
import type { Call } from './call';
import type { Unfinished } from './unfinished/unfinished';

/** A service that asks for more patience after a fault is down; the user should know. */
const LONGEST_ASKED_MS = 60_000;

/** The attempts of one call: how many there were, and what is known of them. */
export class Attempts {
	/** How often the call was sent, or could not be, without an answer. */
	failures = 0;
	private beganAt: number | undefined;
	private limitedSince: number | undefined;

	/**
	 * @param one is kept while nobody knows what the attempts have done, unless that does not matter
	 */
	constructor(
		readonly call: Call,
		readonly one: Unfinished,
		readonly isKept: boolean,
	) {}

	get areUsedUp(): boolean {
		return this.failures >= this.call.attempts;
	}

	/**
	 * Sends the call until it reaches the service: a limit is waited out, and what was certainly not
	 * sent is sent again. `undefined` if the outcome is not known: only the policy of the endpoint
	 * says how to go on.
	 * @throws Cancelled, NodeApiError when that takes too long
	 */
	async send(): Promise<Extract<Outcome, { kind: 'done' | 'refused' }> | undefined> {
		for (;;) {
			const outcome = await this.attempt();
			if (outcome.kind === 'done' || outcome.kind === 'refused') return outcome;
			if (outcome.kind === 'limited') {
				if (this.waitedMs < this.call.patienceMs) continue;
				const refused = refusal(this.call, outcome.status, outcome.body);
				throw limitUsedUp(this.call, this.certainty, { waitedMs: this.waitedMs, refused });
			}
			this.limitedSince = undefined;
			if (outcome.kind === 'unknown') return undefined;
			this.failures += 1;
			if (this.one.isOpen && this.areUsedUp && this.one.outcome !== CUT_SHORT) return undefined;
			await this.backOff(outcome);
		}
	}

	/**
	 * Waits before the call is sent again. @throws Cancelled, NodeApiError if that does not help, or
	 * takes too long
	 */
	async backOff(outcome: Unanswered): Promise<undefined> {
		const { settings, signal, deadline } = this.call;
		if (this.areUsedUp || (outcome.kind === 'notSent' && outcome.fatal))
			throw this.exhausted(outcome);
		if (this.failures === 0) return;
		const waitMs = backoffMs(settings, this.failures, outcome);
		if (settings.clock.now() + waitMs >= deadline)
			throw outOfTime(this.call, this.certainty, outcome.reason);
		await wait(settings.clock, waitMs, signal);
	}

	/** The error of a call that is sent no more. */
	exhausted(outcome: Unanswered, certainty = this.certainty): Error {
		const now = this.call.settings.clock.now();
		return exhausted(this.call, certainty, outcome, {
			attempts: this.failures,
			ms: now - (this.beganAt ?? now),
		});
	}

	private get certainty(): Certainty {
		return this.one.isOpen ? 'in doubt' : 'not sent';
	}

	/** How long others have spent the whole limit of the key. */
	private get waitedMs(): number {
		return this.limitedSince === undefined ? 0 : this.call.settings.clock.now() - this.limitedSince;
	}

	/** @throws Cancelled, and NodeApiError when the rate limit resets later than anybody waits */
	private async attempt(): Promise<Outcome> {
		const { call, one, waitedMs } = this;
		const { certainAt } = one;
		const sending = (sent: Timestamp) => this.begin(sent);
		const outcome = await sendOnce(call, call.patienceMs - waitedMs, sending).catch(
			(error: unknown) => {
				if (!(error instanceof WaitTooLong)) throw asThrown(error);
				throw limitUsedUp(call, this.certainty, { waitedMs, resetsInMs: error.waitMs });
			},
		);
		if (outcome.kind === 'limited') this.limitedSince ??= one.lastSentAt;
		// Of what was answered nothing is still to come; of the requests before it there may be.
		if (outcome.kind === 'unknown') this.lost(outcome, certainAt);
		else one.certainAt = certainAt;
		if (outcome === CUT_SHORT) throw new Cancelled();
		return outcome;
	}

	/**
	 * Kept before it is sent: n8n saves an execution that is stopped, or of a process that ends, as
	 * it was at that moment.
	 */
	private begin(sent: Timestamp): void {
		const { one } = this;
		const { memory, settings, timeoutMs, itemTry } = this.call;
		this.beganAt ??= sent.at;
		if (!one.isOpen && one.times === 0) one.firstSent = sent;
		Object.assign(one, {
			lastSentAt: sent.at,
			certainAt: sent.at + timeoutMs + settings.lateEffectMs,
		});
		if (this.isKept) memory.unfinished.keep(one, itemTry);
	}

	/** Notes that nobody knows what the last request has done. */
	private lost(outcome: Unknown, certainBefore: number): void {
		const { one } = this;
		const { settings, pins } = this.call;
		this.failures += 1;
		const now = settings.clock.now();
		const restedAt = now + backoffMs(settings, this.failures, outcome);
		const lateAt = Math.max(
			one.lastSentAt + Math.max(...settings.looksMs),
			now + settings.lateEffectMs,
		);
		const certainAt = Math.max(restedAt, outcome.late ? lateAt : certainBefore);
		if (outcome.late) one.times += 1;
		// It is saved with the execution: a service, or a proxy before it, may quote the key.
		const kept = redacted(outcome, pins);
		Object.assign(one, { certainAt, outcome: kept, isOpen: true });
	}
}

/**
 * The pause after so many failures: exponential with jitter, and at least what the service asks
 * for.
 */
export function backoffMs(
	settings: ClientSettings,
	failures: number,
	outcome?: Unanswered,
): number {
	const backoff = Math.min(settings.backoffMs * 2 ** (failures - 1), settings.longestBackoffMs);
	const asked = outcome?.kind === 'unknown' ? (outcome.retryAfterMs ?? 0) : 0;
	return Math.max(backoff * (0.5 + settings.random() / 2), Math.min(asked, LONGEST_ASKED_MS));
}
