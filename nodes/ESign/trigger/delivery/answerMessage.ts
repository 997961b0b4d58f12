import type { IWebhookFunctions } from 'n8n-workflow';
import { keyOf, readMessage, seal, type Answer } from '../../waiting/message';
import { registerWait } from '../../waiting/registerWait';
import { allWaiting, dropFinishedWaits } from '../../waiting/waitingExecution';
import { ownerOf } from '../identity';
import { shareSoon } from '../share';
import type { TriggerState } from '../triggerState';
import { makeRoom, waitingUrlIn, wake } from '../wakeWaiting';
import type { Responder } from './responder';

/**
 * Answers a sealed message, or returns undefined for anything else that somebody may have sent. A process of this n8n shares
 * what it knows, and is told what we know; or a node of this n8n waits for documents (docs/architecture.md section 8).
 */
export async function answerMessage(
	context: IWebhookFunctions,
	state: TriggerState,
	sealed: unknown,
	response: Responder,
): Promise<string | undefined> {
	const key = await keyOf(context);
	const message = readMessage(sealed, key);
	if (!message || (!message.wait && message.owner !== ownerOf(context))) return undefined;
	const { memory, waits, processes } = state;
	const answer: Answer = {
		nonce: message.nonce,
		process: processes.process,
		waitingUrl: waitingUrlIn(context, state),
	};
	if (message.wait) {
		answer.wait = registerWait(context, waits, message.wait);
		if (answer.wait === 'full') void makeRoom(context, state);
		if (answer.wait === 'taken') shareSoon(context, state);
	} else {
		state.merge(message.state);
		dropFinishedWaits(waits);
		answer.state = state.toShare();
	}
	if (context.getMode() !== 'manual') state.saveAll();
	memory.saving++;
	response.once('close', () => {
		memory.saving--;
		// Documents may have ended before all were registered, or in another process.
		wake(
			context,
			state,
			allWaiting(waits).filter(({ documents }) => documents.length === 0),
		);
	});
	return seal(answer, key);
}
