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

/**
 * From a call of an execution to the next, if another of its documents has ended meanwhile. Each call is as much work for n8n
 * as several deliveries, which the service gives up after ten seconds.
 */
const GATHERING_MS = 2_000;

/** n8n 1.x answers before it has begun to let an execution go on: by then it has. */
const GONE_ON_AFTER_MS = 5_000;

/** From one trigger that an execution has told to the next: by then the first has woken it, or is gone. */
const NEXT_TRIGGER_AFTER_MS = 5_000;

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
	void answered.then(async () => await wakeInOrder(context, known, waiting, { ended: id }));
}

interface Reason {
	/** The document that has ended, as an event says. */
	ended?: string;
	/** Whether a document may have ended unnoticed. */
	missed?: (id: string) => boolean;
	signal?: AbortSignal;
}

/** Calls executions that wait: at once where this trigger is the first to do so, later where others come before it. */
export async function wakeInOrder(
	context: WakeContext,
	known: Known,
	waiting: WaitingExecution[],
	reason: Reason,
): Promise<void> {
	const inTurn = [...new Set(waiting.map(({ order }) => order))].map(async (order) => {
		await pause(order * NEXT_TRIGGER_AFTER_MS, reason.signal);
		const turn = waiting.filter((wait) => wait.order === order);
		await wakeAll(context, known, turn, reason);
	});
	await Promise.all(inTurn);
}

/** Calls executions that wait, a few at once; a failure is logged, and tried again in the background. */
async function wakeAll(context: WakeContext, known: Known, waiting: WaitingExecution[], reason: Reason): Promise<void> {
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
	void followUp(context, wait, state, first, callIt, signal)
		.then((isOver) => {
			if (isOver) note(known, wait, []);
		})
		.finally(() => waking.delete(wait.key));
}

/**
 * Calls an execution again until it is clear that it has gone on, or that it rightly sleeps.
 *
 * @returns whether it does not wait any more
 */
async function followUp(
	context: WakeContext,
	wait: WaitingExecution,
	state: Waking,
	first: Awakening,
	callIt: () => Promise<Awakening>,
	signal?: AbortSignal,
): Promise<boolean> {
	const again = [...AGAIN_AFTER_MS];
	const pauses = { unclear: again, running: again, asleep: [...ASLEEP_AGAIN_AFTER_MS] };
	let hasGoneOn = false;
	for (let last = first; !signal?.aborted; last = await callIt()) {
		if (last.outcome === 'over' || (last.outcome === 'running' && hasGoneOn)) return true;
		hasGoneOn = last.outcome === 'goes on';
		if (state.again) {
			await pause(GATHERING_MS, signal);
			state.again = false;
			continue;
		}
		// It sleeps for other documents.
		if (last.outcome === 'asleep' && !last.open.some((id) => state.ended.has(id))) return false;
		const after = last.outcome === 'goes on' ? GONE_ON_AFTER_MS : pauses[last.outcome].shift();
		if (after === undefined) {
			// It went on without us, and runs for long; otherwise the hourly look finds it.
			if (last.outcome !== 'running') warn(context, wait, last);
			return false;
		}
		const ending = new AbortController();
		state.pause = ending;
		await pause(after, signal ? AbortSignal.any([signal, ending.signal]) : ending.signal);
		// The call that follows counts for whatever has come meanwhile.
		state.again = false;
		state.pause = undefined;
	}
	return false;
}

function warn(context: WakeContext, { id }: WaitingExecution, last: Awakening): void {
	const why = 'why' in last ? last.why : 'the service says that its document is still open';
	context.logger.warn(
		`eSign: execution ${id} could not be woken: ${why}. It is tried again within the hour.`,
		logFieldsOf(context),
	);
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
		if (awakening.outcome === 'asleep') note(known, wait, awakening.open);
		return known.get('wait', wait.id)?.key === wait.key ? awakening : { outcome: 'over' };
	} catch (error) {
		return { outcome: 'unclear', why: readCallFailure(error).message };
	}
}

/** n8n saves static data after a request only: this is written with the next one, or at the hourly look. */
function note(known: Known, { id, key }: WaitingExecution, open: string[]): void {
	const held = known.get('wait', id);
	if (held?.key === key && open.length < held.documents.length) known.keep('wait', withOpen(held, open));
}
