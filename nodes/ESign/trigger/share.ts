import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { client, type ApiContext } from '../client';
import { keyOf, seal, unseal, type Answer, type Message } from '../messages/message';
import { ANSWER_HEADER, obstacleIn, post, type PostOptions } from '../messages/post';
import type { Responder } from '../messages/responder';
import { Waker } from './waits/wake';
import { log, ownerOf, ownUrl, type TriggerState } from './triggerState';

/** What was signed, and when, in seconds since the epoch; or sealed, out of a delivery log. */
export type Genuine = { value: unknown; signedAt: number; isFromLog?: true };

/**
 * An old message may have been recorded on its way. Clocks of two machines may differ by so much,
 * as in a signature.
 */
const TOLERANCE_MS = 300_000;

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
 * Receives a sealed message; undefined for anything else that somebody may have sent. A process of
 * this n8n shares what it knows, and gets what we know; or a node of this n8n waits for documents
 * (docs/architecture.md section 8); or the running trigger gives an event out of a delivery log,
 * which goes the way of every delivery: the answer is in a header, because n8n's own answer says
 * whether it has the event.
 *
 * @returns the sealed answer, or the event
 */
export async function receiveMessage(
	context: IWebhookFunctions,
	state: TriggerState,
	sealed: unknown,
	response: Responder,
): Promise<IWebhookResponseData | Genuine | undefined> {
	const key = await keyOf(context);
	const message = unseal<Message>(sealed, key);
	const isRecent = message && Math.abs(Date.now() - message.at) <= TOLERANCE_MS;
	if (!isRecent || (!message.wait && message.owner !== ownerOf(context))) return undefined;

	const answer: Answer = { answerTo: message.nonce };
	if (message.event) {
		// Nobody gives one to a test listener.
		if (state.isTest) return undefined;
		response.setHeader(ANSWER_HEADER, seal(answer, key));
		// By the clock that signatures are compared with; that of the sender may be another.
		return { value: message.event, signedAt: Math.floor(Date.now() / 1_000), isFromLog: true };
	}

	if (message.wait) {
		// A test listener ends with its first event.
		answer.wait = state.isTest ? 'not published' : state.waits.register(message.wait);
		if (answer.wait === 'taken') void shareSoon(context, state);
	} else {
		state.merge(message.state);
		if (!state.watch) state.noteFailure(state.process.begunAt);
		answer.state = state.toShare();
	}
	state.save(context);
	// Nothing more is heard of a sender that has hung up.
	if (!response.destroyed) {
		state.saving++;
		response.once('close', () => state.saving--);
	}
	// Documents may have ended before all were registered, or in another process.
	new Waker(context, ownUrl(context), state).wakeDueAfter(response);
	return { webhookResponse: seal(answer, key) };
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
