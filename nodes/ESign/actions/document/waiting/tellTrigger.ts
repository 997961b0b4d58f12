import type { IExecuteFunctions } from 'n8n-workflow';
import { askTrigger, newMessage, pause, sharedSecret, type WaitAnswer, type WaitRequest } from '../../../transport';

/** Many executions that begin at once keep n8n busy for long; whoever gives up then fails, and nobody waits. */
const LONGEST_MS = 30_000;

/** When a trigger is told again that could not be reached. The same request twice is one request. */
const AGAIN_AFTER_MS = [1_000, 4_000];

/** n8n may have saved, over the trigger's note, what a request that began earlier has written. */
const MOST_CONFIRMATIONS = 6;
const CONFIRM_AGAIN_MS = 250;

/**
 * Tells a trigger which documents wake an execution.
 *
 * @param isNeeded it is told again if it does not answer; otherwise another one wakes the execution too
 */
export async function tellTrigger(
	context: IExecuteFunctions,
	url: string,
	wait: WaitRequest,
	isNeeded = false,
): Promise<WaitAnswer | { obstacle: string }> {
	const signal = context.getExecutionCancelSignal();
	for (const again = isNeeded ? [...AGAIN_AFTER_MS] : []; ;) {
		const reply = await askTrigger(context, url, newMessage({ wait }), await sharedSecret(context), {
			longestMs: LONGEST_MS,
			signal,
		});
		if ('answer' in reply) return reply.answer.wait ?? { obstacle: `${url} does not take executions that wait` };
		const after = again.shift();
		if (after === undefined || !reply.isSilent || signal?.aborted) return reply;
		await pause(after, signal);
	}
}

/**
 * Makes sure that n8n has saved the trigger's note, with the documents that are still open: of requests that write at the
 * same moment, n8n may keep the one that began earlier.
 *
 * @param takers the triggers that were told, in order
 * @returns whether the first one has; its process knows it all the same, and its hourly look saves it again
 */
export async function confirm(context: IExecuteFunctions, takers: string[], request: WaitRequest): Promise<boolean> {
	const confirmOne = async (url: string, order: number): Promise<boolean> => {
		for (let times = 1; times <= MOST_CONFIRMATIONS; times++) {
			if ((await tellTrigger(context, url, { ...request, order })) === 'stored') return true;
			await pause(CONFIRM_AGAIN_MS * times * (0.5 + Math.random()));
		}
		return false;
	};
	const [isStored = false] = await Promise.all(takers.map(confirmOne));
	return isStored;
}
