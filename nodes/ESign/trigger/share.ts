import type { IHookFunctions, ITriggerFunctions, IWebhookFunctions } from 'n8n-workflow';
import { client } from '../client';
import { obstacleIn, post } from '../waiting/message';
import { dropFinishedWaits } from '../waiting/waitingExecution';
import { log, ownerOf } from './identity';
import type { TriggerState } from './triggerState';

const LONGEST_MS = 10_000;

/** From the last change to its being shared, and from a failure of that to the next try. */
const SHARED_AFTER_MS = 3_000;
const AGAIN_AFTER_MS = [10_000, 30_000];

/**
 * Shares what is known with whatever process of this n8n answers at the trigger's own URL, which has it saved, and takes in
 * what that one knows. An answer also shows that the URL works, and that the workflow is active.
 *
 * @returns undefined, or what stands in the way
 */
export async function share(
	context: IHookFunctions | ITriggerFunctions | IWebhookFunctions,
	state: TriggerState,
	url: string,
	signal?: AbortSignal,
): Promise<string | undefined> {
	const content = { owner: ownerOf(context), state: state.toShare() };
	const reply = await post(context, url, content, { timeout: LONGEST_MS, abortSignal: signal });
	if (!reply.answer) return `${url} ${obstacleIn(reply)}`;
	state.hasPeers ||= reply.answer.process !== state.process.id;
	state.merge(reply.answer.state);
	// Or what is over would be shared for ever, and in the end crowd out those that wait.
	dropFinishedWaits(state.waits);
	return undefined;
}

/** The URL of the trigger that has received a request. */
export const ownUrl = (context: IWebhookFunctions): string => context.getNodeWebhookUrl('default') ?? '';

/**
 * Shares what is known seconds after the last change. Of requests at the same moment n8n may save the one last that began
 * first, over what the others wrote: what is saved here, when n8n has saved all of those, holds everything.
 */
export function shareSoon(context: IWebhookFunctions, state: TriggerState): void {
	const isPlanned = state.sharedAt !== undefined;
	state.sharedAt = client.now() + SHARED_AFTER_MS;
	if (!isPlanned && context.getMode() !== 'manual') void shareInTime(context, state);
}

async function shareInTime(context: IWebhookFunctions, state: TriggerState): Promise<void> {
	const url = ownUrl(context);
	let obstacle: string | undefined;
	for (const again of [0, ...AGAIN_AFTER_MS]) {
		await client.pause(again);
		while (state.saving > 0 || client.now() < (state.sharedAt ?? 0)) await client.pause(SHARED_AFTER_MS);
		state.sharedAt = undefined;
		obstacle = await share(context, state, url).catch((error: Error) => error.message);
		if (obstacle === undefined) return;
	}
	log(context, 'warn', `the other n8n processes are told within the hour: ${obstacle}`);
}

/** Notes that a delivery failed: the running trigger looks after its endpoint soon, in whatever process it runs. */
export function noteFailure(context: IWebhookFunctions, state: TriggerState): void {
	state.noteFailure();
	if (!state.isWatched) shareSoon(context, state);
}
