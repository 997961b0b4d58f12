import type { IWebhookFunctions } from 'n8n-workflow';
import { keyOf, readMessage, seal, type Answer } from '../../waiting/message';
import { Waker } from '../../waiting/wake';
import { dropFinishedWaits, registerWait } from '../../waiting/waitingExecution';
import { ownerOf } from '../identity';
import { ownUrl, shareSoon } from '../share';
import type { TriggerState } from '../triggerState';
import type { Responder } from './responder';

/**
 * Answers a sealed message, or returns undefined for anything else that somebody may have sent. A process of this n8n shares
 * what it knows, and is told what we know; or a node of this n8n waits for documents (docs/architecture.md section 8).
 */
export async function answerMessage(
	context: IWebhookFunctions,
	state: TriggerState,
	sealed: string,
	response: Responder,
): Promise<string | undefined> {
	const key = await keyOf(context);
	const message = readMessage(sealed, key);
	if (!message || (!message.wait && message.owner !== ownerOf(context))) return undefined;
	const answer: Answer = { nonce: message.nonce, process: state.process.id };
	const waker = new Waker(context, ownUrl(context), state);
	if (message.wait) {
		answer.wait = registerWait(context, state.waits, message.wait);
		if (answer.wait === 'full') void waker.forgetGone();
		if (answer.wait === 'taken') shareSoon(context, state);
	} else {
		state.merge(message.state);
		dropFinishedWaits(state.waits);
		answer.state = state.toShare();
	}
	state.save(context);
	state.saving++;
	response.once('close', () => state.saving--);
	// Documents may have ended before all were registered, or in another process.
	waker.wakeDueAfter(response);
	return seal(answer, key);
}
