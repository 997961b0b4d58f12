import type { ITriggerFunctions, IWebhookFunctions } from 'n8n-workflow';
import { client } from '../client';
import { isSilent, newMessage, obstacleIn, post, type Reply } from './message';
import { allWaiting, finished, reopened, type WaitingExecution, type WaitStore } from './waitingExecution';
import { BEING_WOKEN, calledAt, wordsOfN8n } from './wakeUrl';

/** The waiting webhook asks the service, and may have to wait for the rate limit. */
const LONGEST_MS = 90_000;

/**
 * When an execution is called again that was not asleep yet or could not ask the service. It asks the service after it was
 * registered and falls asleep then, so that the first few matter; the hourly look comes after the last.
 */
const AGAIN_AFTER_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 120_000, 300_000];

/** The service may say for a moment that a document is open whose end it has just delivered. */
const ASLEEP_AGAIN_AFTER_MS = [2_000, 15_000];

/** n8n 1.x answers before it has begun to let an execution go on: by then it has. */
const GONE_ON_AFTER_MS = 5_000;

/** Executions that one process calls at once. Each call is as much work for n8n as several deliveries. */
const PARALLEL_CALLS = 10;

/** n8n's words for an execution that nobody can wake any more, and for one that is not asleep (waiting-webhooks.js). */
const IS_OVER = /does not exist|has finished|does not contain a waiting webhook/;
const IS_RUNNING = /is running already/;

/** Who calls, and what it knows. */
export interface Waker {
	context: IWebhookFunctions | ITriggerFunctions;
	waits: WaitStore;
	/** The waits of this trigger that are being called in this process, by key. */
	waking: Set<string>;
	/** Below which address n8n calls its waiting executions today. */
	waitingUrl: string;
	/** Resolves when the deliveries that have come so far were answered: the service waits for those, and gives up. */
	delivered: () => Promise<unknown>;
	signal?: AbortSignal;
}

/** What a call of a waiting execution has come to. */
export type Outcome =
	/** It does not wait any more: it goes on, or has done so before. */
	| { kind: 'over' }
	/** n8n is going to let it go on, and may fail: see `Answer.goesOn`. */
	| { kind: 'goes on' }
	/** It has gone on, or has not fallen asleep yet. */
	| { kind: 'running' }
	/** Another call is waking it. */
	| { kind: 'busy' }
	/** It sleeps on: these documents are still open. */
	| { kind: 'asleep'; open: string[] }
	/** It could not be asked. */
	| { kind: 'unclear'; why: string };

/** What a reply to a call says. */
export function outcomeOf(reply: Reply): Outcome {
	const { answer, status } = reply;
	if (answer?.goesOn === 'announced') return { kind: 'goes on' };
	if (answer?.open) return answer.open.length === 0 ? { kind: 'over' } : { kind: 'asleep', open: answer.open };
	const words = wordsOfN8n(reply) ?? '';
	// n8n 2.x redirects to a form where one is waited for since.
	if (IS_OVER.test(words) || status === 307) return { kind: 'over' };
	if (IS_RUNNING.test(words)) return { kind: 'running' };
	if (words === BEING_WOKEN) return { kind: 'busy' };
	return {
		kind: 'unclear',
		why: isSilent(reply) && status !== undefined ? `n8n answered ${status}` : obstacleIn(reply),
	};
}

class Lanes {
	private free = PARALLEL_CALLS;

	private readonly queue: Array<() => void> = [];

	async run<T>(work: () => Promise<T>): Promise<T> {
		if (this.free > 0) this.free--;
		else await new Promise<void>((resolve) => this.queue.push(resolve));
		try {
			return await work();
		} finally {
			const next = this.queue.shift();
			if (next) next();
			else this.free++;
		}
	}
}

/** Of this process, whatever trigger calls. */
const lanes = new Lanes();

/** Calls executions whose documents have ended, and follows up what is unclear. Never throws. */
export async function wakeAll(waker: Waker, due: readonly WaitingExecution[]): Promise<void> {
	await Promise.all(due.map(async (wait) => await wake(waker, wait)));
}

async function wake(waker: Waker, wait: WaitingExecution): Promise<void> {
	const { waking } = waker;
	if (waking.has(wait.key)) return;
	waking.add(wait.key);
	await callUntilClear(waker, wait).finally(() => waking.delete(wait.key));
}

/** Calls one execution until it has gone on, or rightly sleeps. n8n saves what is kept here with the next request. */
async function callUntilClear(waker: Waker, wait: WaitingExecution): Promise<void> {
	const { waits, signal } = waker;
	const again = [...AGAIN_AFTER_MS];
	const pauses = { unclear: again, running: again, busy: again, asleep: [...ASLEEP_AGAIN_AFTER_MS] };
	let hasGoneOn = false;
	for (let calls = 1; !signal?.aborted; calls++) {
		const outcome = await lanes.run(async () => await call(waker, wait));
		const held = waits.get(wait.id);
		if (held?.key !== wait.key || held.isOver) return;
		if (outcome.kind === 'over' || (outcome.kind === 'running' && hasGoneOn)) return waits.keep(finished(held));
		hasGoneOn = outcome.kind === 'goes on' || (hasGoneOn && outcome.kind === 'busy');
		const isLast = again.length === 0;
		if (outcome.kind === 'unclear' && (calls === 1 || isLast)) warn(waker, wait, outcome.why, isLast);
		const after = outcome.kind === 'goes on' ? GONE_ON_AFTER_MS : pauses[outcome.kind].shift();
		if (after === undefined) {
			// It sleeps for a document whose end was not lost: the event comes, or the hourly look sees it.
			if (outcome.kind === 'asleep') waits.keep(reopened(held, outcome.open));
			return;
		}
		await client.pause(after, signal);
	}
}

async function call(waker: Waker, wait: WaitingExecution, isProbe?: true): Promise<Outcome> {
	const { context, waitingUrl, delivered, signal } = waker;
	await delivered();
	const url = calledAt(`${waitingUrl}${encodeURIComponent(wait.id)}${wait.query}`);
	const message = newMessage({ wake: wait.key, isProbe });
	try {
		return outcomeOf(await post(context, url, message, { timeoutMs: LONGEST_MS, signal }));
	} catch (error) {
		return { kind: 'unclear', why: (error as Error).message };
	}
}

function warn({ context }: Waker, { id }: WaitingExecution, why: string, isLast: boolean): void {
	context.logger.warn(
		`eSign: execution ${id} could not be woken: ${why}. It is tried again ${isLast ? 'within the hour' : 'soon'}.`,
		{ nodeName: context.getNode().name },
	);
}

/** Forgets the executions that n8n says are gone: stopped, deleted, or gone on by themselves. No request of the service. */
export async function forgetGone(waker: Waker): Promise<void> {
	const { waits } = waker;
	const ask = async (wait: WaitingExecution) => {
		const outcome = await lanes.run(async () => await call(waker, wait, true));
		if (outcome.kind === 'over') waits.keep(finished(wait));
	};
	await Promise.all(allWaiting(waits).map(ask));
}
