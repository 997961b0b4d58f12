import type { Call } from '../call/call';
import type { Outcome, Unanswered, Unknown } from '../call/outcome';
import { actionOf, exhausted, limitUsedUp, outOfTime, type Certainty } from '../errors/failure';
import { WaitTooLong } from '../pacing/pacer';
import { Cancelled } from '../pacing/pause';
import type { Words } from '../run';
import type { ClientSettings } from '../settings';

/** A service that asks for more patience after a fault is down; the user should know. */
const LONGEST_ASKED_MS = 60_000;

/** Its answer was lost, or another try or another worker may be at it. */
const CHECKED: Words = (actions) =>
	`It was not known whether a request to ${actions.join(' and to ')} was carried out. The node waited to check, so that nothing is done twice.`;

/** Sends a call once. */
export type Attempt = (call: Call) => Promise<Outcome>;

/** So often others have used up the limit of the key when its window was over. */
const MAX_LIMITED = 10;

/** The attempts of one call: how many there were, and what is known of them. */
export class Attempts {
	/** How often the call was sent, or could not be, without an answer. */
	failures = 0;

	/** The last request whose outcome is unknown. */
	lost: Unknown | undefined;

	/** How many there were. */
	timesLost = 0;

	/** An effect of a lost request that is not there by then will not come. */
	certainAt = 0;

	private readonly beganAt: number;

	private timesLimited = 0;

	constructor(readonly call: Call) {
		this.beganAt = call.settings.clock.now();
	}

	get areUsedUp(): boolean {
		return this.failures >= this.call.settings.attempts;
	}

	/**
	 * Sends the call once, and counts what came of it.
	 *
	 * @throws Cancelled, NodeApiError where the limit of the key is used up for too long
	 */
	async send(attempt: Attempt): Promise<Outcome> {
		const { clock, lateEffectMs } = this.call.settings;
		const outcome = await attempt(this.call).catch((error: Error) => {
			if (!(error instanceof WaitTooLong)) throw error;
			throw limitUsedUp(this.call, this.certainty, error.waitMs);
		});
		if (outcome.kind === 'limited') {
			this.timesLimited += 1;
			if (this.timesLimited >= MAX_LIMITED) throw limitUsedUp(this.call, this.certainty);
		}
		if (outcome.kind === 'notSent' || outcome.kind === 'unknown') this.failures += 1;
		if (outcome.kind === 'unknown') {
			this.lost = outcome;
			this.timesLost += 1;
			// Its own fault (500) the service has answered itself: nothing comes of it later.
			if (outcome.late) this.certainAt = clock.now() + lateEffectMs;
		}
		return outcome;
	}

	/**
	 * Waits before the call is sent again.
	 *
	 * @throws Cancelled, NodeApiError if that does not help, or takes too long
	 */
	async backOff(outcome: Unanswered): Promise<void> {
		const { settings, signal, deadline } = this.call;
		const isFatal = outcome.kind === 'notSent' && outcome.fatal;
		if (this.areUsedUp || isFatal) throw this.exhausted(outcome);
		const waitMs = backoffMs(settings, this.failures, outcome);
		if (settings.clock.now() + waitMs >= deadline) {
			throw outOfTime(this.call, this.certainty, outcome.reason);
		}
		await settings.clock.sleep(waitMs, signal);
		if (signal.aborted) throw new Cancelled();
	}

	/** The error of a call that is not sent any more. */
	exhausted(outcome: Unanswered): Error {
		const ms = this.call.settings.clock.now() - this.beganAt;
		return exhausted(this.call, this.certainty, outcome, { attempts: this.failures, ms });
	}

	/** A read has no effect that could be in doubt. */
	private get certainty(): Certainty {
		const isRead = this.call.endpoint.startsWith('GET ');
		return this.lost && !isRead ? 'in doubt' : 'not sent';
	}
}

/**
 * The pause after so many failures: exponential with jitter, and at least what the service asks
 * for.
 */
export function backoffMs(settings: ClientSettings, failures: number, outcome: Unanswered): number {
	const backoff = Math.min(settings.backoffMs * 2 ** (failures - 1), settings.longestBackoffMs);
	const asked = outcome.kind === 'unknown' ? (outcome.retryAfterMs ?? 0) : 0;
	return Math.max(backoff * (0.5 + settings.random() / 2), Math.min(asked, LONGEST_ASKED_MS));
}

/**
 * Waits until nothing can come of a lost request any longer, and says so at once: a node that says
 * nothing is stopped and started again.
 *
 * @param certainAt by the clock that all waiting goes by
 * @throws Cancelled, NodeApiError if the call has no time left for that
 */
export async function waitUntilCertain(
	call: Call,
	certainAt: number,
	reason: string,
): Promise<void> {
	const { context, run, settings, signal } = call;
	const waitMs = certainAt - settings.clock.now();
	if (waitMs <= 0) return;
	if (certainAt >= call.deadline) throw outOfTime(call, 'in doubt', reason);
	const action = actionOf(call);
	const seconds = Math.ceil(waitMs / 1000);
	const message = `It is not known whether a request to ${action} was carried out. For up to ${seconds} s the node checks what came of it, so that nothing is done twice. There is no need to start this again.`;
	context.logger.info(`eSign: ${message}`);
	if ('sendMessageToUI' in context) context.sendMessageToUI(message);
	await settings.clock.sleep(waitMs, signal);
	if (signal.aborted) throw new Cancelled(true);
	run.hintAt(CHECKED, action, 'info');
}
