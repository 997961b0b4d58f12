import type { CronExpression, ITriggerFunctions } from 'n8n-workflow';
import { pause, readCallFailure } from '../../transport';
import { logFieldsOf, ownerOf } from '../identity';
import { Known } from '../known';
import { memories, type Memories } from '../memory';
import { wakeMissed } from '../waits/missed';
import { share } from './ask';
import { replayMissedEvents } from './recovery';
import { register } from './register';
import { retire } from './retire';
import { survey } from './survey';
import type { WantedEndpoint } from './wanted';

/** n8n 2.41 has given up on an activation by then, and runs no hook of it any more. */
const HOOKS_ARE_OVER_MS = 90_000;
/** n8n saves what the hooks have written only after them: what is shared before that would be written twice. */
const FIRST_LOOK_MS = 3_000;
const FIRST_RETRY_MS = 30_000;
const LONGEST_RETRY_MS = 600_000;
const SLICE_MS = 500;

/** Once an hour, each trigger at a second of its own: the requests of many share one rate limit. */
export function hourlyFor(owner: string): CronExpression {
	const spread = [...owner].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 3_600, 7);
	return `${spread % 60} ${Math.floor(spread / 60)} * * * *`;
}

/** Puts an endpoint in place of one that is gone, switched off or does not fit. */
async function putBack(
	trigger: ITriggerFunctions,
	known: Known,
	wanted: WantedEndpoint,
	replaceable: readonly string[],
	processes: Memories,
	signal: AbortSignal,
): Promise<string | undefined> {
	const made = await register(trigger, known, wanted, { isTest: false, replaceable, processes, signal });
	if (signal.aborted) {
		// The trigger was switched off meanwhile: n8n's own hook could not delete what was not yet there.
		await retire(trigger, known, made.id, {});
		return undefined;
	}
	// In queue mode other processes receive the deliveries; and after a restart only static data is left.
	const obstacle = await share(trigger, known, wanted.url, { signal });
	if (obstacle)
		trigger.logger.warn(`eSign: webhook ${made.id} is not yet known everywhere: ${obstacle}`, logFieldsOf(trigger));
	return made.id;
}

/** Looks once after the endpoint of a running trigger, and replays what was missed. @returns whether all is well */
async function look(
	trigger: ITriggerFunctions,
	known: Known,
	processes: Memories,
	signal: AbortSignal,
): Promise<boolean> {
	const { activation } = known.memory;
	const [newest] = known.all('endpoint').filter(({ owner }) => owner === ownerOf(trigger));
	const wanted = activation.wanted ?? newest;
	if (!wanted) return false;
	const fields = logFieldsOf(trigger);

	const obstacle = await share(trigger, known, wanted.url, { signal });
	if (signal.aborted) return true;
	if (obstacle) trigger.logger.warn(`eSign: n8n does not answer at its own webhook URL: ${obstacle}`, fields);

	let id = activation.checkedId;
	activation.checkedId = undefined;
	if (id === undefined) {
		const { fits, replaceable } = await survey(trigger, known, wanted, { signal });
		if (signal.aborted) return true;
		id = fits?.id;
		if (fits) for (const other of replaceable) await retire(trigger, known, other, { signal });
		// Without an answer nobody knows whether the workflow is active at all, and who would hold the secret.
		else if (!obstacle) id = await putBack(trigger, known, wanted, replaceable, processes, signal);
		else
			trigger.logger.error(
				'eSign: the webhook is gone or switched off, and is not put back before n8n answers',
				fields,
			);
	}
	if (signal.aborted) return true;
	if (id === undefined) return false;
	if (trigger.getNodeParameter('options.replayMissed', true) !== true) return true;
	return await replayMissedEvents(trigger, known, id, { isReachable: !obstacle, signal });
}

/**
 * Looks after the endpoint while n8n runs: soon after the activation, when n8n's hooks are through, and once an hour. The
 * service switches an endpoint off after twenty failures, and n8n may not be started again for months. Costs two requests
 * of the service. The public URL and the events are those of the last `checkExists`: they change only with an activation.
 *
 * The first look is tried again until it succeeds, at growing intervals; the hourly one waits for the next hour.
 *
 * @returns what ends it, and a promise that resolves when the first look has succeeded or was ended
 */
export function watchEndpoint(
	trigger: ITriggerFunctions,
	processes: Memories = memories,
): { end: () => void; firstLook: Promise<void> } {
	if (trigger.getMode() === 'manual') return { end: () => undefined, firstLook: Promise.resolve() };
	const watch = new AbortController();
	const { signal } = watch;
	const known = Known.of(trigger, false, processes);
	let isLooking = false;

	const lookOnce = async (): Promise<boolean> => {
		if (isLooking || signal.aborted) return true;
		isLooking = true;
		try {
			const isWell = await orLogged(async () => await look(trigger, known, processes, signal));
			// Whoever waits needs the service's answer only, and no webhook.
			const areAsked = await orLogged(async () => await wakeMissed(trigger, known, signal));
			return isWell && areAsked;
		} finally {
			isLooking = false;
		}
	};

	const orLogged = async (work: () => Promise<boolean>): Promise<boolean> => {
		try {
			return signal.aborted || (await work());
		} catch (error) {
			if (signal.aborted) return true;
			const { message } = readCallFailure(error);
			trigger.logger.error(`eSign: the webhook could not be looked after: ${message}`, logFieldsOf(trigger));
			return false;
		}
	};

	const lookUntilWell = async (): Promise<void> => {
		for (let waited = 0; !known.memory.activation.isOver && waited < HOOKS_ARE_OVER_MS; waited += SLICE_MS) {
			await pause(SLICE_MS, signal);
			if (signal.aborted) return;
		}
		await pause(FIRST_LOOK_MS, signal);
		for (let wait = FIRST_RETRY_MS; !(await lookOnce()); wait = Math.min(wait * 2, LONGEST_RETRY_MS)) {
			await pause(wait, signal);
		}
	};

	try {
		// n8n's own schedule ends with the activation, and runs in one process of several.
		trigger.helpers.registerCron({ expression: hourlyFor(ownerOf(trigger)) }, async () => void (await lookOnce()));
	} catch (error) {
		// An n8n of before August 2025 takes other arguments: there the endpoint is looked after at starts only.
		const { message } = readCallFailure(error);
		trigger.logger.warn(`eSign: the hourly look is not possible: ${message}`, logFieldsOf(trigger));
	}
	const end = () => {
		watch.abort();
		known.memory.activation.isOver = false;
	};
	return { end, firstLook: lookUntilWell() };
}
