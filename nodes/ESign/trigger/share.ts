import type { IWebhookFunctions } from 'n8n-workflow';
import { client, type ApiContext } from '../client';
import { obstacleIn, post, type PostOptions } from '../messages/message';
import { log, ownerOf, ownUrl, type TriggerState } from './triggerState';

/** From the last change to its being shared. */
const SHARED_AFTER_MS = 3_000;

/**
 * Shares what is known with whatever process of this n8n answers at the trigger's own URL, which
 * has it saved, and takes in what that one knows. An answer also shows that the URL works, and that
 * the workflow is active.
 *
 * @returns undefined, or what stands in the way
 */
export async function share(
	context: ApiContext,
	state: TriggerState,
	url: string,
	options: PostOptions,
): Promise<string | undefined> {
	const message = { owner: ownerOf(context), state: state.toShare() };
	const reply = await post(context, url, message, options);
	if (!reply.answer) return `${url} ${obstacleIn(reply)}`;
	state.merge(reply.answer.state);
	return undefined;
}

/**
 * Shares what is known seconds after the last change. Of requests at the same moment n8n may save
 * the one last that began first, over what the others wrote: what is saved here, when n8n has saved
 * all of those, holds everything.
 */
export async function shareSoon(context: IWebhookFunctions, state: TriggerState): Promise<void> {
	const isPlanned = state.sharedAt > 0;
	state.sharedAt = client.now() + SHARED_AFTER_MS;
	if (isPlanned || state.isTest) return;

	while (state.saving > 0 || client.now() < state.sharedAt) await client.pause(SHARED_AFTER_MS);
	state.sharedAt = 0;
	const obstacle = await share(context, state, ownUrl(context), { isPatient: true });
	if (obstacle)
		log(context, 'warn', `the other n8n processes learn of it within the hour: ${obstacle}`);
}

/**
 * Notes that a delivery failed: the running trigger looks after its endpoint soon, in whatever
 * process it runs.
 */
export function reportFailure(context: IWebhookFunctions, state: TriggerState): void {
	state.noteFailure();
	if (state.watch) state.watch.readLogInTime();
	else void shareSoon(context, state);
}
