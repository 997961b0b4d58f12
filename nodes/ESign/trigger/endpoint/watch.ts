import type { CronExpression, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { client, readCallFailure } from '../../client';
import { isSameUrl } from '../../service/urls';
import { listWebhooks, type WebhookList } from '../../waiting/registerWithTriggers';
import { Waker } from '../../waiting/wake';
import { ownerOf } from '../identity';
import { share } from '../share';
import { thisProcess, type TriggerState, type WantedEndpoint } from '../triggerState';
import { createEndpoint } from './createEndpoint';
import { OwnEndpoints } from './ownEndpoints';
import { replayMissedEvents } from './replayMissed';

/** n8n 2.41 has given up on an activation by then, and runs no hook of it any more. */
const HOOKS_ARE_OVER_MS = 90_000;
/**
 * n8n saves what the hooks have written only after them: what is shared before that would be
 * written twice.
 */
const FIRST_LOOK_MS = 3_000;
const SLICE_MS = 500;
/** From one look to the next, if all is well. */
const HOUR_MS = 3_600_000;
/**
 * From a failure to the look: the three attempts of the service take 45 s (docs/service.md section
 * 6, rules 1 and 2).
 */
const LOOK_AFTER_MS = 50_000;
/** The service waits so long for an answer (rule 2 there). */
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

/**
 * Looks after the endpoint while n8n runs: soon after the activation; once an hour; soon after a
 * delivery that was seen to fail, or a time in which n8n was not reached; where the service lists
 * it as active no more; and every 90 seconds while that fails.
 */
export class Watch {
	private readonly ending = new AbortController();
	private readonly signal = this.ending.signal;
	private readonly endpoints: OwnEndpoints;
	private isLooking = false;
	private lookedAt = 0;
	/**
	 * When the hooks or the last look were over, by the clock that cannot be set: what was listed
	 * before may have changed.
	 */
	private readyAt = 0;
	/** Whether all was well at the last look. */
	isWell = true;
	/** When n8n was last reached at its own URL. */
	private reachedAt = Date.now();

	constructor(
		private readonly trigger: ITriggerFunctions,
		private readonly state: TriggerState,
	) {
		this.endpoints = new OwnEndpoints(trigger, state, { signal: this.signal });
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
		const { state, trigger, signal, wanted, isWell, reachedAt } = this;
		if (!wanted || !this.lookedAt) return;
		const how = { abortSignal: signal, timeout: ANSWER_MS };
		const isReached = !(await share(trigger, state, wanted.url, how).catch(String));
		if (isReached) this.reachedAt = Date.now();
		if (this.reachedAt - reachedAt > UNREACHED_MS) state.noteFailure();
		const restedMs = client.now() - this.readyAt;
		const hasFailed = state.failedAt + LOOK_AFTER_MS > this.lookedAt;
		const isDue = (hasFailed && restedMs >= LOOK_AFTER_MS) || restedMs >= HOUR_MS;
		const mayBeOff = async () => !isWell || (isReached && (await this.isUnlisted(wanted)));
		if (isDue || (restedMs >= LIST_KEPT_MS && (await mayBeOff()))) await this.lookOnce();
	}

	/**
	 * Whether the service does not list the endpoint as active: it may have been switched off, or
	 * somebody has deleted it.
	 */
	private async isUnlisted({ url }: WantedEndpoint): Promise<boolean> {
		const { data } = await this.list().catch(() => ({ data: [] }));
		return !data.some((one) => one.status === 'ACTIVE' && isSameUrl(one.url, url));
	}

	/**
	 * One request for all triggers of the process that have not looked, or seen a delivery fail,
	 * since it was made.
	 */
	private async list(): Promise<WebhookList> {
		const now = client.now();
		const failedAt = now - Date.now() + this.state.failedAt;
		return await listWebhooks(this.trigger, Math.max(now - LIST_KEPT_MS, this.readyAt, failedAt));
	}

	async lookOnce(): Promise<void> {
		const { trigger, state, signal, wanted } = this;
		if (!wanted || this.isLooking || signal.aborted) return;
		this.isLooking = true;
		this.lookedAt = Date.now();
		const isLookWell = await this.orLogged(this.look(wanted));
		// Whoever waits needs the service's answer only, and no webhook.
		const areAsked = await this.orLogged(new Waker(trigger, wanted.url, state).wakeEnded(signal));
		this.isWell = isLookWell && areAsked;
		if (this.isWell) this.endpoints.said.clear();
		this.readyAt = client.now();
		this.isLooking = false;
	}

	private get wanted(): WantedEndpoint | undefined {
		const { activation, endpoints } = this.state;
		return (
			activation.wanted ?? endpoints.all().find(({ owner }) => owner === ownerOf(this.trigger))
		);
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

	private async look(wanted: WantedEndpoint): Promise<boolean> {
		const { trigger, state, endpoints, signal } = this;
		const obstacle = await share(trigger, state, wanted.url, { abortSignal: signal });
		signal.throwIfAborted();
		if (obstacle) endpoints.log('warn', `n8n does not answer at its own webhook URL: ${obstacle}`);
		const { checkedId } = state.activation;
		state.activation.checkedId = undefined;
		const id = checkedId ?? (await this.endpointInPlace(wanted, !obstacle));
		if (id === undefined) return false;
		// Of one that was made just now nothing was missed.
		const { at = 0 } = state.endpoints.get(id) ?? {};
		if (at >= this.lookedAt) return true;
		// Before that the service may still be at its attempts there.
		if (this.lookedAt - at > LOOK_AFTER_MS) await endpoints.reportMoved(wanted);
		if (trigger.getNodeParameter('options.replayMissed', true) !== true) return true;
		return await replayMissedEvents(endpoints, id, !obstacle);
	}

	/**
	 * Checks the endpoint, and puts another in place of one that is gone, switched off or does not
	 * fit. @returns its id
	 */
	private async endpointInPlace(
		wanted: WantedEndpoint,
		isReachable: boolean,
	): Promise<string | undefined> {
		const { trigger, state, endpoints, signal } = this;
		const list = await this.list();
		signal.throwIfAborted();
		const found = await endpoints.find(wanted, list);
		if (found.fits) return found.fits.id;
		// Without an answer nobody knows whether the workflow is active at all, and who would hold the
		// secret.
		if (!isReachable) {
			endpoints.log(
				'error',
				'the webhook is gone or switched off, and is registered again once n8n answers',
			);
			return undefined;
		}
		const { id } = await createEndpoint(endpoints, wanted, found);
		// The trigger was switched off meanwhile: n8n's own hook could not delete what was not yet
		// there.
		if (signal.aborted && !state.watch) await new OwnEndpoints(trigger, state, {}).delete(id);
		signal.throwIfAborted();
		// In queue mode other processes receive the deliveries; and after a restart only static data is
		// left.
		const obstacle = await share(trigger, state, wanted.url, { abortSignal: signal });
		if (obstacle)
			endpoints.log('warn', `webhook ${id} is not known to all n8n processes yet: ${obstacle}`);
		return id;
	}
}

/** Begins to look after the endpoint. @returns what ends it, and when the first look is through */
export function watchEndpoint(
	trigger: ITriggerFunctions,
	process = thisProcess,
): ITriggerResponse & { firstLook?: Promise<void> } {
	if (trigger.getMode() === 'manual') return {};
	const watch = new Watch(trigger, process.stateOf(trigger));
	// n8n's own schedule ends with the activation, and runs in one process of several. Each trigger
	// has seconds of its own.
	const second = Math.floor(Math.random() * 30);
	for (const expression of [
		`${second} * * * * *`,
		`${second + 30} * * * * *`,
	] satisfies CronExpression[]) {
		trigger.helpers.registerCron({ expression }, async () => await watch.lookIfDue());
	}
	return { closeFunction: async () => watch.end(), firstLook: watch.firstLook() };
}
