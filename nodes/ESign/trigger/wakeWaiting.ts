import type { ITriggerFunctions, IWebhookFunctions } from 'n8n-workflow';
import { countDown, type WaitingExecution } from '../waiting/waitingExecution';
import { forgetGone, wakeAll, type Waker } from '../waiting/wake';
import { waitingUrlOf } from '../waiting/wakeUrl';
import { logFieldsOf } from './identity';
import { shareSoon } from './share';
import type { TriggerState } from './triggerState';

/** Below which address n8n calls its waiting executions: only a request of n8n's web server can tell. */
export function waitingUrlIn(context: IWebhookFunctions, { memory }: TriggerState): string | undefined {
	memory.waitingUrl =
		waitingUrlOf(String(context.evaluateExpression('{{ $execution.resumeUrl }}'))) ?? memory.waitingUrl;
	return memory.waitingUrl;
}

function wakerOf(
	context: IWebhookFunctions | ITriggerFunctions,
	{ memory, waits, processes }: TriggerState,
	signal?: AbortSignal,
): Waker | undefined {
	const { waking, waitingUrl } = memory;
	if (waitingUrl === undefined) return undefined;
	return { context, waits, waking, waitingUrl, delivered: async () => await processes.delivered(), signal };
}

/** Calls executions, in the background. */
export function wake(
	context: IWebhookFunctions | ITriggerFunctions,
	state: TriggerState,
	due: readonly WaitingExecution[],
	signal?: AbortSignal,
): void {
	if (due.length === 0) return;
	const waker = wakerOf(context, state, signal);
	if (waker) void wakeAll(waker, due);
	else
		context.logger.warn(
			`eSign: ${due.length} executions are woken when n8n answers at its own address`,
			logFieldsOf(context),
		);
}

/** Counts down whoever waits for a document that has ended, and resolves with those to call. */
export function dueAfter(context: IWebhookFunctions, state: TriggerState, documentId: unknown): WaitingExecution[] {
	const { waits, memory } = state;
	const isWaitedFor = waits.all().some(({ documents }) => documents.some((id) => id === documentId));
	if (!isWaitedFor) return [];
	const due = countDown(waits, (id) => id === documentId);
	if (due.length > 0) waitingUrlIn(context, state);
	// Another process counts down what it receives itself.
	if (memory.hasPeers || !memory.isWatched) shareSoon(context, state);
	return due;
}

/** Asks n8n which executions are gone, to make room for others. */
export async function makeRoom(context: IWebhookFunctions, state: TriggerState): Promise<void> {
	const waker = wakerOf(context, state);
	if (waker) await forgetGone(waker);
}
