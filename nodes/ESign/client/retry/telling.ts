import { ruleOf } from '../../service/endpoints';
import { asThrown, type ErrorContext } from '../errors/failure';
import { outOfTime } from '../errors/givenUp';
import { Cancelled, wait } from '../pacing/pause';
import type { ApiContext, Words } from '../run';
import type { Caller } from '../call/call';

const LOST_ANSWER: Words = (_, seconds) =>
	`The service did not answer. Waited ${seconds} s to check whether the request was carried out, so that nothing is done twice`;

/** Tells the user in a hint of the node, and whoever reads the log. */
export function tell(context: ApiContext, message: string): void {
	context.logger.warn(`eSign: ${message}`);
	if (!('addExecutionHints' in context)) return;
	context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
}

/**
 * Waits until nothing can come of a lost request any longer, and says so at once: a node that says
 * nothing is stopped and started again.
 *
 * @param certainAt by the clock that all waiting goes by
 * @throws Cancelled, NodeApiError if the call has no time left for that
 */
export async function waitUntilCertain(
	call: Caller & ErrorContext,
	certainAt: number,
	reason: string,
): Promise<void> {
	const { context, endpoint, run, settings, signal } = call;
	const waitMs = certainAt - settings.clock.now();
	if (waitMs <= 0) return;
	if (certainAt >= call.deadline) throw outOfTime(call, 'in doubt', reason);
	const { action } = ruleOf(endpoint);
	const seconds = Math.ceil(waitMs / 1000);
	const message = `The service did not answer the request to ${action}. For up to ${seconds} s the node checks what came of it, so that nothing is done twice. There is no need to start this again.`;
	context.logger.info(`eSign: ${message}`);
	if ('sendMessageToUI' in context) context.sendMessageToUI(message);
	await wait(settings.clock, waitMs, signal).catch((error: unknown) => {
		if (error instanceof Cancelled) error.mayHaveHappened = true;
		throw asThrown(error);
	});
	run.hintAtWaiting(LOST_ANSWER, waitMs, settings.hintAfterMs);
}
