import { actionOf } from '../errors/failure';
import { outOfTime } from '../errors/givenUp';
import { Cancelled } from '../pacing/pause';
import type { Words } from '../run';
import type { Call } from '../call/call';

const LOST_ANSWER: Words = (actions) =>
	`The service did not answer the request to ${actions.join(' and to ')}. The node waited to check whether it was carried out, so that nothing is done twice.`;

/**
 * Waits until nothing can come of a lost request any longer, and says so at once: a node that says
 * nothing is stopped and started again.
 *
 * @param certainAt by the clock that all waiting goes by
 * @throws Cancelled, NodeApiError if the call has no time left for that
 */
export async function waitUntilCertain(
	call: Call,
	certainAt: number,
	reason: string,
): Promise<void> {
	const { context, run, settings, signal } = call;
	const waitMs = certainAt - settings.clock.now();
	if (waitMs <= 0) return;
	if (certainAt >= call.deadline) throw outOfTime(call, 'in doubt', reason);
	const action = actionOf(call);
	const seconds = Math.ceil(waitMs / 1000);
	const message = `The service did not answer the request to ${action}. For up to ${seconds} s the node checks what came of it, so that nothing is done twice. There is no need to start this again.`;
	context.logger.info(`eSign: ${message}`);
	if ('sendMessageToUI' in context) context.sendMessageToUI(message);
	await settings.clock.sleep(waitMs, signal);
	if (signal.aborted) throw new Cancelled(true);
	run.hintAt(LOST_ANSWER, action, 'info');
}
