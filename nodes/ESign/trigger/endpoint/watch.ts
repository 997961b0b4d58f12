import type { CronExpression, ITriggerFunctions } from 'n8n-workflow';
import { client, readCallFailure } from '../../client';
import { lookForEnded } from '../../waiting/lookForEnded';
import { logFieldsOf, ownerOf } from '../identity';
import { memories, type Memories } from '../memory';
import { share } from '../share';
import { TriggerState } from '../triggerState';
import { wake } from '../wakeWaiting';
import { createEndpoint } from './createEndpoint';
import { deleteEndpoint } from './deleteEndpoint';
import { findOwnEndpoints } from './findOwnEndpoints';
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

/** Once an hour and once a minute, each trigger at a second of its own: the requests of many share one rate limit. */
export function scheduleFor(owner: string): { hourly: CronExpression; everyMinute: CronExpression } {
	const spread = [...owner].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 3_600, 7);
	const second = spread % 60;
	return { hourly: `${second} ${Math.floor(spread / 60)} * * * *`, everyMinute: `${second} * * * * *` };
}

/** The pause before each further try, at growing intervals, without end. */
export function* retryPauses(): Generator<number, never> {
	for (let wait = FIRST_RETRY_MS; ; wait = Math.min(wait * 2, LONGEST_RETRY_MS)) yield wait;
}

/** Whether a failure that was seen calls for a look: none has begun since all attempts of that delivery were over. */
export function isLookDue(failedAt: number, lookedAt: number): boolean {
	return failedAt > 0 && failedAt + ATTEMPTS_ARE_OVER_MS > lookedAt;
}

/**
 * Looks after the endpoint while n8n runs: soon after the activation, when n8n's hooks are through; once an hour; and within
 * two minutes of a delivery that was seen to fail. The service switches an endpoint off after twenty failures, and drops what
 * happens from then on. A look costs two requests of the service. The public URL and the events are those of the last
 * `checkExists`: they change only with an activation.
 *
 * The first look is tried again until it succeeds, at growing intervals; the others wait for the next.
 */
class Watch {
	private readonly ending = new AbortController();

	private readonly state: TriggerState;

	private isLooking = false;

	private lookedAt = 0;

	constructor(
		private readonly trigger: ITriggerFunctions,
		processes: Memories,
	) {
		this.state = TriggerState.of(trigger, false, processes);
		this.state.memory.isWatched = true;
	}

	end(): void {
		this.ending.abort();
		Object.assign(this.state.memory, { isWatched: false });
		this.state.memory.activation.isOver = false;
	}

	/** Resolves when the first look has succeeded, or was ended. */
	async firstLook(): Promise<void> {
		const { activation } = this.state.memory;
		const { signal } = this.ending;
		for (let waited = 0; !activation.isOver && waited < HOOKS_ARE_OVER_MS; waited += SLICE_MS) {
			await client.pause(SLICE_MS, signal);
			if (signal.aborted) return;
		}
		await client.pause(FIRST_LOOK_MS, signal);
		for (const wait of retryPauses()) {
			if (await this.lookOnce()) return;
			await client.pause(wait, signal);
		}
	}

	/** Looks if a delivery has failed lately. */
	async lookAfterFailures(): Promise<void> {
		const { trigger, state } = this;
		const { wanted } = state.memory.activation;
		// In queue mode another process sees it.
		if (state.memory.hasPeers && wanted) {
			await this.orLogged(async () => (await share(trigger, state, wanted.url, this.ending.signal)) === undefined);
		}
		if (isLookDue(state.failedAt, this.lookedAt)) await this.lookOnce();
	}

	/** @returns whether all is well */
	async lookOnce(): Promise<boolean> {
		const { trigger, state } = this;
		const { signal } = this.ending;
		if (this.isLooking || signal.aborted) return true;
		this.isLooking = true;
		this.lookedAt = Date.now();
		try {
			const isWell = await this.orLogged(async () => await this.look());
			// Whoever waits needs the service's answer only, and no webhook.
			const areAsked = await this.orLogged(async () => {
				wake(trigger, state, await lookForEnded(trigger, state.waits, signal), signal);
				return true;
			});
			return isWell && areAsked;
		} finally {
			this.isLooking = false;
		}
	}

	private async orLogged(work: () => Promise<boolean>): Promise<boolean> {
		const { signal } = this.ending;
		try {
			return signal.aborted || (await work());
		} catch (error) {
			if (signal.aborted) return true;
			const { message } = readCallFailure(error);
			this.trigger.logger.error(`eSign: the webhook could not be checked: ${message}`, logFieldsOf(this.trigger));
			return false;
		}
	}

	/** Looks once after the endpoint, and replays what was missed. @returns whether all is well */
	private async look(): Promise<boolean> {
		const { trigger, state } = this;
		const { signal } = this.ending;
		const { activation } = state.memory;
		const [newest] = state.endpoints.all().filter(({ owner }) => owner === ownerOf(trigger));
		const wanted = activation.wanted ?? newest;
		if (!wanted) return false;
		const fields = logFieldsOf(trigger);

		const obstacle = await share(trigger, state, wanted.url, signal);
		if (signal.aborted) return true;
		if (obstacle) trigger.logger.warn(`eSign: n8n does not answer at its own webhook URL: ${obstacle}`, fields);

		let id = activation.checkedId;
		activation.checkedId = undefined;
		if (id === undefined) {
			const { fits, replaceable } = await findOwnEndpoints(trigger, state, wanted, { signal });
			if (signal.aborted) return true;
			id = fits?.id;
			if (fits) for (const other of replaceable) await deleteEndpoint(trigger, state, other, { signal });
			// Without an answer nobody knows whether the workflow is active at all, and who would hold the secret.
			else if (!obstacle) id = await this.recreateEndpoint(wanted, replaceable);
			else
				trigger.logger.error(
					'eSign: the webhook is gone or switched off, and is registered again once n8n answers',
					fields,
				);
		}
		if (signal.aborted) return true;
		if (id === undefined) return false;
		if (trigger.getNodeParameter('options.replayMissed', true) !== true) return true;
		return await replayMissedEvents(trigger, state, id, { isReachable: !obstacle, signal });
	}

	/** Puts an endpoint in place of one that is gone, switched off or does not fit. */
	private async recreateEndpoint(wanted: WantedEndpoint, replaceable: readonly string[]): Promise<string | undefined> {
		const { trigger, state } = this;
		const { signal } = this.ending;
		const made = await createEndpoint(trigger, state, wanted, { isTest: false, replaceable, signal });
		if (signal.aborted) {
			// The trigger was switched off meanwhile: n8n's own hook could not delete what was not yet there.
			await deleteEndpoint(trigger, state, made.id, {});
			return undefined;
		}
		// In queue mode other processes receive the deliveries; and after a restart only static data is left.
		const obstacle = await share(trigger, state, wanted.url, signal);
		if (obstacle)
			trigger.logger.warn(
				`eSign: webhook ${made.id} is not known to all n8n processes yet: ${obstacle}`,
				logFieldsOf(trigger),
			);
		return made.id;
	}
}

/** Begins to look after the endpoint. @returns what ends it, and when the first look is through */
export function watchEndpoint(
	trigger: ITriggerFunctions,
	processes: Memories = memories,
): { end: () => void; firstLook: Promise<void> } {
	if (trigger.getMode() === 'manual') return { end: () => undefined, firstLook: Promise.resolve() };
	const watch = new Watch(trigger, processes);
	try {
		// n8n's own schedule ends with the activation, and runs in one process of several.
		const { hourly, everyMinute } = scheduleFor(ownerOf(trigger));
		trigger.helpers.registerCron({ expression: hourly }, async () => void (await watch.lookOnce()));
		trigger.helpers.registerCron({ expression: everyMinute }, async () => await watch.lookAfterFailures());
	} catch (error) {
		// An n8n of before August 2025 takes other arguments: there the endpoint is looked after at starts only.
		const { message } = readCallFailure(error);
		trigger.logger.warn(`eSign: the hourly check is not possible: ${message}`, logFieldsOf(trigger));
	}
	return { end: () => watch.end(), firstLook: watch.firstLook() };
}
