import type { ITriggerFunctions, IWebhookFunctions } from 'n8n-workflow';
import { isEndingEvent } from '../../service/ending';
import { pause, readCallFailure, sharedSecret, wakeExecution, type Awakening } from '../../transport';
import type { Responder } from '../delivery/acceptance';
import { logFieldsOf } from '../identity';
import type { Known } from '../known';
import type { WaitingExecution } from '../members';
import type { Waking } from '../memory';
import { allWaiting, withOpen } from './waiting';

type WakeContext = IWebhookFunctions | ITriggerFunctions;

/**
 * When an execution is called again that was not asleep yet or could not ask the service. It asks the service after it was
 * registered and falls asleep then, so that the first few matter; the hourly look comes after the last.
 */
const AGAIN_AFTER_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 120_000, 300_000];

/** The service may say for a moment that a document is open whose end it has just delivered; each asks the service. */
const ASLEEP_AGAIN_AFTER_MS = [2_000, 15_000];

/** Executions that are called at once, after a restart for instance. */
const LANES = 5;

/** Wakes whoever waits for the document of an event, once n8n has answered the delivery. */
export function wakeOnEvent(
	context: IWebhookFunctions,
	known: Known,
	payload: { event: string; document?: unknown },
	response: Responder,
): void {
	if (!isEndingEvent(payload.event)) return;
	const { id } = (payload.document ?? {}) as { id?: unknown };
	const waiting = allWaiting(known).filter(({ documents }) => documents.some((document) => document === id));
	if (typeof id !== 'string' || waiting.length === 0) return;
	const answered = new Promise<void>((resolve) => {
		// A sender that has gone delivers again, and the execution need not wait for that.
		if (response.destroyed) resolve();
		response.once('finish', resolve);
		response.once('close', resolve);
	});
	void answered.then(async () => await wakeAll(context, known, waiting, { ended: id }));
}

interface Reason {
	/** The document that has ended, as an event says. */
	ended?: string;
	/** Whether a document may have ended unnoticed. */
	missed?: (id: string) => boolean;
	signal?: AbortSignal;
}

/** Calls executions that wait, a few at once; a failure is logged, and tried again in the background. */
export async function wakeAll(
	context: WakeContext,
	known: Known,
	waiting: WaitingExecution[],
	reason: Reason,
): Promise<void> {
	const left = [...waiting];
	const lane = async () => {
		for (let wait = left.shift(); wait; wait = left.shift()) await wake(context, known, wait, reason);
	};
	await Promise.all(Array.from({ length: LANES }, lane));
}

/** Calls one execution. What is unclear after the first call is followed up in the background. */
async function wake(
	context: WakeContext,
	known: Known,
	wait: WaitingExecution,
	{ ended, missed, signal }: Reason,
): Promise<void> {
	const { waking } = known.memory;
	const state: Waking = waking.get(wait.key) ?? { ended: new Set(), missed: new Set(), again: false };
	if (ended !== undefined) state.ended.add(ended);
	for (const id of missed ? wait.documents.filter(missed) : []) state.missed.add(id);
	if (waking.has(wait.key)) {
		state.again = true;
		state.pause?.abort();
		return;
	}
	waking.set(wait.key, state);
	const callIt = async () => await call(context, known, wait, state, signal);
	const first = await callIt();
	void followUp(context, wait, state, first, callIt, signal).finally(() => waking.delete(wait.key));
}

/** Calls an execution again until it is clear that it goes on, or that it rightly sleeps. */
async function followUp(
	context: WakeContext,
	wait: WaitingExecution,
	state: Waking,
	first: Awakening,
	callIt: () => Promise<Awakening>,
	signal?: AbortSignal,
): Promise<void> {
	const left = { unclear: [...AGAIN_AFTER_MS], asleep: [...ASLEEP_AGAIN_AFTER_MS] };
	for (let last = first; last.outcome !== 'over' && !signal?.aborted; last = await callIt()) {
		if (state.again) {
			state.again = false;
			continue;
		}
		// It sleeps for other documents.
		if (last.outcome === 'asleep' && !last.open.some((id) => state.ended.has(id))) return;
		const after = left[last.outcome].shift();
		if (after === undefined) {
			const why = last.outcome === 'asleep' ? 'the service says that its document is still open' : last.why;
			context.logger.warn(
				`eSign: execution ${wait.id} could not be woken: ${why}. It is tried again within the hour.`,
				logFieldsOf(context),
			);
			return;
		}
		const ending = new AbortController();
		state.pause = ending;
		await pause(after, signal ? AbortSignal.any([signal, ending.signal]) : ending.signal);
		// The call that follows counts for whatever has come meanwhile.
		state.again = false;
		state.pause = undefined;
	}
}

async function call(
	context: WakeContext,
	known: Known,
	wait: WaitingExecution,
	{ ended, missed }: Waking,
	signal?: AbortSignal,
): Promise<Awakening> {
	try {
		const called = { ...wait, ended: [...new Set([...ended, ...missed])] };
		const awakening = await wakeExecution(context, called, await sharedSecret(context), signal);
		const held = known.get('wait', wait.id);
		if (held?.key !== wait.key) return { outcome: 'over' };
		const open = awakening.outcome === 'asleep' ? awakening.open : [];
		if (awakening.outcome !== 'unclear' && open.length < held.documents.length) {
			// n8n saves static data after a request only: this is written with the next one, or at the hourly look.
			known.keep('wait', withOpen(held, open));
		}
		return awakening;
	} catch (error) {
		return { outcome: 'unclear', why: readCallFailure(error).message };
	}
}
