import { ruleOf } from '../../service/endpoints';
import { outOfTime } from '../errors/givenUp';
import { wait } from '../pacing/pause';
import type { ApiContext, Words } from '../run';
import type { Call } from './call';
import type { Unfinished } from './unfinished/unfinished';

const LOST_ANSWER: Words = (_, seconds) =>
	`The service did not answer. Waited ${seconds} s to check whether the request was carried out, so that nothing is done twice`;

/** Tells the user in a hint of the node, and whoever reads the log. */
export function tell(context: ApiContext, message: string): void {
	context.logger.warn(`eSign: ${message}`);
	if (!('addExecutionHints' in context)) return;
	context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
}

export function tellTaken({ context, endpoint }: Call, what: string): void {
	const done = `An earlier request to ${ruleOf(endpoint).action} was carried out, though its answer was lost: ${what}.`;
	tell(context, `${done} It was not done again.`);
}

/** Says at once that an answer was lost: a node that says nothing is stopped and started again. */
export function tellOfWait({ context, endpoint, settings }: Call, until: number): void {
	const seconds = Math.ceil((until - settings.clock.now()) / 1000);
	if (seconds <= 0) return;
	const { action } = ruleOf(endpoint);
	const message = `The service did not answer the request to ${action}. For up to ${seconds} s the node checks what came of it, so that nothing is done twice. There is no need to start this again.`;
	context.logger.info(`eSign: ${message}`);
	if ('sendMessageToUI' in context) context.sendMessageToUI(message);
}

/**
 * Waits for what may still come of a request. @throws Cancelled, NodeApiError if the call has no
 * time left for that
 */
export async function waitUntil(call: Call, { outcome }: Unfinished, at: number): Promise<void> {
	const { run, settings, signal } = call;
	if (at >= call.deadline) throw outOfTime(call, 'in doubt', outcome.reason);
	const waitMs = at - settings.clock.now();
	await wait(settings.clock, waitMs, signal);
	run.hintAtWaiting(LOST_ANSWER, waitMs, settings.hintAfterMs);
}

/**
 * Waits until what is not there by then will not come, and says so at once. Throws as `waitUntil`
 * does.
 */
export async function waitUntilCertain(
	call: Call,
	one: Unfinished,
	certainAt = one.certainAt,
): Promise<void> {
	tellOfWait(call, certainAt);
	await waitUntil(call, one, certainAt);
}
