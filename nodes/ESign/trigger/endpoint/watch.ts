import type { CronExpression, ITriggerFunctions } from 'n8n-workflow';
import { client, readCallFailure } from '../../client';
import { Waker } from '../../waiting/wake';
import { log, ownerOf } from '../identity';
import { share } from '../share';
import { thisProcess, type TriggerState } from '../triggerState';
import { createEndpoint } from './createEndpoint';
import { Endpoints } from './endpoints';
import { replayMissedEvents } from './replayMissed';
import type { WantedEndpoint } from './wanted';

/** n8n 2.41 has given up on an activation by then, and runs no hook of it any more. */
const HOOKS_ARE_OVER_MS = 90_000;
/** n8n saves what the hooks have written only after them: what is shared before that would be written twice. */
const FIRST_LOOK_MS = 3_000;
const FIRST_RETRY_MS = 30_000;
const LONGEST_RETRY_MS = 600_000;
const SLICE_MS = 500;

/** The service has by then made all attempts of what failed (docs/service.md section 6, rule 1). */
const ATTEMPTS_ARE_OVER_MS = 50_000;

/** The service waits so long for an answer (rule 2 there): an n8n that stands still for that sees nothing of what fails. */
const ANSWER_MS = 10_000;

/** Once an hour and once a minute, each trigger at a second of its own: the requests of many share one rate limit. */
export function scheduleFor(owner: string): { hourly: CronExpression; everyMinute: CronExpression } {
	const spread = [...owner].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 3_600, 7);
	const second = spread % 60;
	return { hourly: `${second} ${Math.floor(spread / 60)} * * * *`, everyMinute: `${second} * * * * *` };
}

/** Whether a failure that was seen calls for a look: none has begun since all attempts of that delivery were over. */
export function isLookDue(failedAt: number, lookedAt: number): boolean {
	return failedAt > 0 && failedAt + ATTEMPTS_ARE_OVER_MS > lookedAt;
}

/**
 * Looks after the endpoint while n8n runs: soon after the activation, and then at growing intervals until that has succeeded;
 * once an hour; and within two minutes of a delivery that was seen to fail, or of a time in which n8n was not reached. The
 * public URL and the events are those of the last activation: they change only with another.
 */
export class Watch {
	private readonly ending = new AbortController();

	private readonly signal = this.ending.signal;

	private readonly endpoints: Endpoints;

	private isLooking = false;

	private lookedAt = 0;

	private beatAt = Date.now();

	private isReached = true;

	constructor(
		private readonly trigger: ITriggerFunctions,
		private readonly state: TriggerState,
	) {
		this.endpoints = new Endpoints(trigger, state, { signal: this.signal });
		state.isWatched = true;
	}

	end(): void {
		this.ending.abort();
		this.state.isWatched = false;
		this.state.activation.isOver = false;
	}

	/** Resolves when the first look has succeeded, or was ended. */
	async firstLook(): Promise<void> {
		const { state, signal } = this;
		const hooksAreOverAt = client.now() + HOOKS_ARE_OVER_MS;
		const isWaiting = () => !state.activation.isOver && client.now() < hooksAreOverAt && !signal.aborted;
		while (isWaiting()) await client.pause(SLICE_MS, signal);
		await client.pause(FIRST_LOOK_MS, signal);
		for (let wait = FIRST_RETRY_MS; !(await this.lookOnce()); wait = Math.min(wait * 2, LONGEST_RETRY_MS)) {
			await client.pause(wait, signal);
		}
	}

	/** Called every five seconds: where that stopped for a while, n8n stood still, and deliveries may have failed unseen. */
	beat(): void {
		if (Date.now() - this.beatAt > ANSWER_MS) this.state.noteFailure();
		this.beatAt = Date.now();
	}

	/** What fails at another process of n8n, or while it is not reached as fast as the service wants it, is seen by nobody here. */
	async lookAfterFailures(): Promise<void> {
		const { state, trigger, wanted, isReached } = this;
		const abortSignal = AbortSignal.any([this.signal, AbortSignal.timeout(ANSWER_MS)]);
		this.isReached = !wanted || !(await share(trigger, state, wanted.url, { abortSignal }).catch(String));
		if (this.isReached && !isReached) state.noteFailure();
		if (isLookDue(state.failedAt, this.lookedAt)) await this.lookOnce();
	}

	/** @returns whether all is well */
	async lookOnce(): Promise<boolean> {
		if (this.isLooking) return true;
		this.isLooking = true;
		this.lookedAt = Date.now();
		const isWell = await this.orLogged(async () => await this.look());
		// Whoever waits needs the service's answer only, and no webhook.
		const { trigger, state, signal, wanted } = this;
		const areAsked = await this.orLogged(async () => {
			if (wanted) await new Waker(trigger, wanted.url, state, signal).wakeEnded();
			return true;
		});
		this.isLooking = false;
		return isWell && areAsked;
	}

	private get wanted(): WantedEndpoint | undefined {
		const { activation, endpoints } = this.state;
		return activation.wanted ?? endpoints.all().find(({ owner }) => owner === ownerOf(this.trigger));
	}

	/** What fails because it was ended is well. */
	private async orLogged(work: () => Promise<boolean>): Promise<boolean> {
		try {
			return this.signal.aborted || (await work());
		} catch (error) {
			if (this.signal.aborted) return true;
			this.endpoints.log('error', `the webhook could not be checked: ${readCallFailure(error).message}`);
			return false;
		}
	}

	private async look(): Promise<boolean> {
		const { trigger, state, endpoints, signal, wanted } = this;
		if (!wanted) return false;
		const obstacle = await share(trigger, state, wanted.url, { abortSignal: signal });
		signal.throwIfAborted();
		if (obstacle) endpoints.log('warn', `n8n does not answer at its own webhook URL: ${obstacle}`);
		const { checkedId } = state.activation;
		state.activation.checkedId = undefined;
		const id = checkedId ?? (await this.endpointInPlace(wanted, !obstacle));
		if (id === undefined) return false;
		if (trigger.getNodeParameter('options.replayMissed', true) !== true) return true;
		return await replayMissedEvents(endpoints, id, !obstacle);
	}

	/** Checks the endpoint, and puts another in place of one that is gone, switched off or does not fit. @returns its id */
	private async endpointInPlace(wanted: WantedEndpoint, isReachable: boolean): Promise<string | undefined> {
		const { trigger, state, endpoints, signal } = this;
		const { fits, replaceable } = await endpoints.find(wanted);
		if (fits) return fits.id;
		// Without an answer nobody knows whether the workflow is active at all, and who would hold the secret.
		if (!isReachable) {
			endpoints.log('error', 'the webhook is gone or switched off, and is registered again once n8n answers');
			return undefined;
		}
		const { id } = await createEndpoint(endpoints, wanted, replaceable);
		// The trigger was switched off meanwhile: n8n's own hook could not delete what was not yet there.
		if (signal.aborted) await new Endpoints(trigger, state, {}).delete(id);
		signal.throwIfAborted();
		// In queue mode other processes receive the deliveries; and after a restart only static data is left.
		const obstacle = await share(trigger, state, wanted.url, { abortSignal: signal });
		if (obstacle) endpoints.log('warn', `webhook ${id} is not known to all n8n processes yet: ${obstacle}`);
		return id;
	}
}

/** Begins to look after the endpoint. @returns what ends it, and when the first look is through */
export function watchEndpoint(
	trigger: ITriggerFunctions,
	process = thisProcess,
): { end: () => void; firstLook: Promise<void> } {
	if (trigger.getMode() === 'manual') return { end: () => undefined, firstLook: Promise.resolve() };
	const watch = new Watch(trigger, process.stateOf(trigger));
	try {
		// n8n's own schedule ends with the activation, and runs in one process of several.
		const { hourly, everyMinute } = scheduleFor(ownerOf(trigger));
		trigger.helpers.registerCron({ expression: hourly }, async () => void (await watch.lookOnce()));
		trigger.helpers.registerCron({ expression: everyMinute }, async () => await watch.lookAfterFailures());
		trigger.helpers.registerCron({ expression: '*/5 * * * * *' }, () => watch.beat());
	} catch (error) {
		// An n8n of before August 2025 takes other arguments: there the endpoint is looked after at starts only.
		log(trigger, 'warn', `the hourly check is not possible: ${readCallFailure(error).message}`);
	}
	return { end: () => watch.end(), firstLook: watch.firstLook() };
}
