import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { client, readCallFailure } from '../../client';
import { isSameUrl } from '../../service/urls';
import { listWebhooks, type WebhookList } from '../../waiting/registerWithTriggers';
import { Waker } from '../waits/wake';
import { share } from '../share';
import {
	ownerOf,
	thisProcess,
	type KnownEndpoint,
	type TriggerState,
	type WantedEndpoint,
} from '../triggerState';
import { ATTEMPTS_MS, lookAfterEndpoint } from './look';
import { OwnEndpoints } from './ownEndpoints';
import { collectMissed, runMissed } from './missed';

/** n8n 2.41 has given up on an activation by then, and runs no hook of it any longer. */
const HOOKS_ARE_OVER_MS = 90_000;
/**
 * n8n saves what the hooks have written only after them: what is shared before that would be
 * written twice.
 */
const FIRST_LOOK_MS = 3_000;
const SLICE_MS = 500;
/** From one look to the next, if all is well. */
const HOUR_MS = 3_600_000;
/** The service waits so long for an answer (docs/service.md section 6, rule 2). */
const ANSWER_MS = 10_000;
/**
 * n8n is asked twice a minute: if it was not reached for so long, what was delivered meanwhile may
 * have failed unseen.
 */
const UNREACHED_MS = 50_000;
/**
 * Every 90 seconds the triggers of a process share one list. A trigger whose last look has failed
 * looks again instead.
 */
const LIST_KEPT_MS = 80_000;
/** After so many failures the log, which holds a hundred attempts, is read before the look. */
const FAILURES_TO_READ_AFTER = 40;

/**
 * Looks after the endpoint while n8n runs: soon after the activation; once an hour; soon after a
 * delivery that was seen to fail, or a time in which n8n was not reached; where the service lists
 * it as active no longer; and every 90 seconds while that fails.
 */
export class Watch {
	private readonly ending = new AbortController();
	private readonly signal = this.ending.signal;
	private readonly endpoints: OwnEndpoints;
	/** What looks, reads the log or runs what was missed does so alone. */
	private isBusy = false;
	/** When the last look began. This and the next two go by the clock that cannot be set. */
	private lookedAt = 0;
	/** When the hooks or the last look ended: what was listed before may have changed. */
	private readyAt = 0;
	/** The failure that was seen last, in whatever process, and when this was noticed here. */
	private failure: { at: number; noticedAt: number };
	/** Whether all was well at the last look. */
	isWell = true;
	/** When n8n was last reached at its own URL, in the time that the service gives it. */
	private reachedAt = Date.now();
	/** Failures that were seen since the log was read. */
	private failures = 0;

	constructor(
		private readonly trigger: ITriggerFunctions,
		private readonly state: TriggerState,
	) {
		this.endpoints = new OwnEndpoints(trigger, state, { signal: this.signal });
		// What failed long before is all over at the first look.
		this.failure = { at: Math.min(state.failedAt, Date.now() - ATTEMPTS_MS), noticedAt: 0 };
		// n8n does not end the one of an activation that has failed.
		const earlier = state.watch;
		state.watch = this;
		earlier?.end();
	}

	end(): void {
		this.ending.abort();
		if (this.state.watch !== this) return;
		this.state.watch = undefined;
		this.state.activation.isOver = false;
	}

	/** Resolves when the first look is over, or was ended. */
	async firstLook(): Promise<void> {
		const { state, signal } = this;
		const hooksAreOverAt = client.now() + HOOKS_ARE_OVER_MS;
		const isWaiting = () =>
			!state.activation.isOver && client.now() < hooksAreOverAt && !signal.aborted;
		while (isWaiting()) await client.pause(SLICE_MS, signal);
		this.readyAt = client.now();
		await client.pause(FIRST_LOOK_MS, signal);
		await this.lookOnce();
	}

	/**
	 * Twice a minute: what fails at another process of n8n, or while it is not reached or stands
	 * still, is seen by nobody here.
	 */
	async lookIfDue(): Promise<void> {
		const { wanted } = this;
		if (!wanted || !this.lookedAt) return;
		await this.callN8n(wanted, ANSWER_MS);
		if (this.endpoints.isReachable) {
			if (Date.now() - this.reachedAt > UNREACHED_MS) this.state.noteFailure();
			this.reachedAt = Date.now();
			// What the last look has not had the time for.
			await this.alone(async () => await this.orLogged(runMissed(this.endpoints, wanted.url)));
		}
		if (await this.isDue(wanted)) await this.lookOnce(this.endpoints.isReachable);
	}

	/** Notes whether n8n answers at its own URL: see `share`. */
	private async callN8n({ url }: WantedEndpoint, timeout?: number): Promise<void> {
		const { state, trigger, signal, endpoints } = this;
		const obstacle = await share(trigger, state, url, { abortSignal: signal, timeout });
		endpoints.unanswered = obstacle ? endpoints.unanswered + 1 : 0;
		if (obstacle && !signal.aborted)
			endpoints.log('warn', `n8n does not answer at its own webhook URL: ${obstacle}`);
	}

	private async isDue(wanted: WantedEndpoint): Promise<boolean> {
		const restedMs = client.now() - this.readyAt;
		const { failedAt } = this.state;
		if (failedAt > this.failure.at) this.failure = { at: failedAt, noticedAt: client.now() };
		const hasFailed = this.failure.noticedAt + ATTEMPTS_MS > this.lookedAt;
		if (restedMs >= HOUR_MS || (hasFailed && restedMs >= ATTEMPTS_MS)) return true;
		if (this.isBusy || restedMs < LIST_KEPT_MS) return false;
		if (!this.isWell) return true;

		const list = await this.list().catch(() => undefined);
		if (!list || this.signal.aborted) return true;
		// Anything but one endpoint at the URL that fits: it was switched off, or somebody has deleted
		// it, or there is another one whose secret is lost.
		const { fits, replaceable } = this.endpoints.find(wanted, list);
		return !fits || replaceable.size > 0;
	}

	/**
	 * One request for all triggers of the process that have not looked, or seen a delivery fail,
	 * since it was made.
	 */
	private async list(): Promise<WebhookList> {
		const { readyAt, failure, signal } = this;
		signal.throwIfAborted();
		const since = Math.max(client.now() - LIST_KEPT_MS, readyAt, failure.noticedAt);
		return await listWebhooks(this.trigger, since);
	}

	/**
	 * A delivery was seen to fail. The log shows the last hundred attempts: where they fail fast,
	 * what it shows now is kept, and runs at the next turn.
	 */
	readLogInTime(): void {
		this.failures++;
		const { wanted } = this;
		if (!wanted || this.failures < FAILURES_TO_READ_AFTER) return;
		const inPlace = this.state.endpoints.all().find(({ url }) => isSameUrl(url, wanted.url));
		if (!inPlace) return;
		this.failures = 0;
		void collectMissed(this.endpoints, inPlace.id);
	}

	/** @param hasAnswered whether n8n has just answered at its own URL; or else it is asked again */
	async lookOnce(hasAnswered = false): Promise<void> {
		const { trigger, state, endpoints, wanted } = this;
		if (!wanted) return;
		await this.alone(async () => {
			this.lookedAt = client.now();
			this.failures = 0;
			if (!hasAnswered) await this.callN8n(wanted);
			const look = this.list().then((list) => lookAfterEndpoint(endpoints, wanted, list));
			const isWell = await this.orLogged(look);
			// Whoever waits needs the service's answer only, and no webhook.
			const waker = new Waker(trigger, wanted.url, state);
			const areAsked = await this.orLogged(waker.wakeEnded(this.signal));
			this.isWell = isWell && areAsked;
			if (this.isWell) endpoints.loggedAlready.clear();
			this.readyAt = client.now();
		});
	}

	/** Where the hooks of a start did not get their turn, the endpoint that is known. */
	private get wanted(): WantedEndpoint | undefined {
		const { activation, endpoints } = this.state;
		const isOwn = ({ owner }: KnownEndpoint) => owner === ownerOf(this.trigger);
		const known = activation.wanted ?? endpoints.all().find(isOwn);
		// Its secret is nothing to register again with.
		return known && { url: known.url, events: known.events };
	}

	private async alone(work: () => Promise<unknown>): Promise<void> {
		if (this.isBusy || this.signal.aborted) return;
		this.isBusy = true;
		try {
			await work();
		} finally {
			this.isBusy = false;
		}
	}

	/** Whether it has gone well. */
	private async orLogged(work: Promise<boolean | void>): Promise<boolean> {
		try {
			return (await work) !== false;
		} catch (error) {
			const { message } = readCallFailure(error);
			if (!this.signal.aborted)
				this.endpoints.log('error', `the webhook could not be checked or registered: ${message}`);
			return false;
		}
	}
}

/** Begins to look after the endpoint. @returns what ends it, and when the first look has ended */
export function watchEndpoint(
	trigger: ITriggerFunctions,
	process = thisProcess,
): ITriggerResponse & { firstLook?: Promise<void> } {
	if (trigger.getMode() === 'manual') return {};
	const watch = new Watch(trigger, process.stateOf(trigger));
	// n8n's own schedule ends with the activation, and runs in one process of several. Each trigger
	// has seconds of its own.
	const second = Math.floor(Math.random() * 30);
	for (const at of [second, second + 30]) {
		const look = async () => await watch.lookIfDue();
		trigger.helpers.registerCron({ expression: `${at} * * * * *` }, look);
	}
	return { closeFunction: async () => watch.end(), firstLook: watch.firstLook() };
}
