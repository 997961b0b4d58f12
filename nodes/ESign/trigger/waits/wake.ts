import { client, pagesOf, type ApiContext } from '../../client';
import { MAX_ENTRIES } from '../../service/limits';
import {
	messageKey,
	obstacleIn,
	post,
	wordsOfN8n,
	type Reply,
	type WaitingExecution,
} from '../../messages/message';
import type { Responder } from '../../messages/responder';
import { BEING_WOKEN, calledAt, NOT_ITS_WAIT } from '../../waiting/wakeUrl';
import { log, type TriggerState } from '../triggerState';

/** The waiting webhook asks the service, and may have to wait for the rate limit. */
const LONGEST_CALL_MS = 90_000;
/**
 * When one is called again that was not asleep yet, slept on, or could not ask the service; the
 * hourly look comes after the last.
 */
const CALL_AGAIN_AFTER_MS = [2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 120_000, 300_000];
/**
 * The service may say for a moment that a document is open whose end it has just delivered. So
 * often it has to say so.
 */
const TIMES_ASLEEP = 4;
/**
 * Executions that one process calls at once. Each call is as much work for n8n as several
 * deliveries.
 */
const PARALLEL_CALLS = 10;
/**
 * n8n's words for an execution that nobody can wake any longer, and for one that is not asleep
 * (waiting-webhooks.js).
 */
const IS_OVER = /does not exist|has finished|does not contain a waiting webhook/;
const IS_RUNNING = /is running already/;

/**
 * What a call of a waiting execution has come to. `over`: it does not wait any longer, because it
 * resumes or has done so before; `running`: it has resumed, or has not fallen asleep yet; `busy`:
 * this call or another one is waking it, which may fail; `asleep`: it sleeps on, for the documents
 * that are still open; `unclear`: it could not be asked.
 */
export type WakeResult =
	| { kind: 'over' | 'running' | 'busy' }
	| { kind: 'asleep'; open: string[] }
	| { kind: 'unclear'; why: string };

export function wakeResultOf(reply: Reply): WakeResult {
	const { answer, status } = reply;
	if (answer?.open)
		return answer.open.length === 0 ? { kind: 'over' } : { kind: 'asleep', open: answer.open };
	const words = wordsOfN8n(reply) ?? '';
	// n8n 2.x redirects to a form where one is waited for since.
	if (IS_OVER.test(words) || words === NOT_ITS_WAIT || status === 307) return { kind: 'over' };
	if (IS_RUNNING.test(words)) return { kind: 'running' };
	if (words === BEING_WOKEN) return { kind: 'busy' };
	return { kind: 'unclear', why: `it ${obstacleIn(reply)}` };
}

/** When to call again after so many tries; undefined: the next look does. */
function pauseAfter({ kind }: WakeResult, tries: number): number | undefined {
	// Files are fetched for it or for others, or n8n has no free slot: that comes to an end.
	const afterTheLast = kind === 'busy' ? CALL_AGAIN_AFTER_MS.at(-1) : undefined;
	return CALL_AGAIN_AFTER_MS[tries] ?? afterTheLast;
}

export class Waker {
	/** @param url the trigger's own URL today, from which resume URLs are seen */
	constructor(
		private readonly context: ApiContext,
		private readonly url: string,
		private readonly state: TriggerState,
	) {}

	/**
	 * Calls executions whose documents have ended, in the background, and follows up what is unclear.
	 */
	wake(due: readonly WaitingExecution[]): void {
		const { beingCalled, lastCalledFor } = this.state.waits;
		for (const wait of due.filter(({ id }) => !beingCalled.has(id))) {
			beingCalled.add(wait.id);
			lastCalledFor.set(wait.id, wait.at);
			void this.callUntilClear(wait).finally(() => beingCalled.delete(wait.id));
		}
	}

	/**
	 * Calls whoever has no open document left, once n8n has answered a request, or its sender has
	 * gone.
	 */
	wakeDueAfter(response: Responder): void {
		const { waits } = this.state;
		const isDue = ({ id, at, documents }: WaitingExecution) =>
			documents.length === 0 && waits.lastCalledFor.get(id) !== at;
		const wake = () => this.wake(waits.all().filter(isDue));
		if (response.destroyed) wake();
		else response.once('close', wake);
	}

	/**
	 * Counts down and calls whoever waits for documents that have ended unnoticed. The service lists
	 * the documents in progress, a hundred with each request, until all that are waited for were
	 * seen, or until it is cheaper to let the executions ask for the others. (A draft is in no such
	 * list: its execution is called at each look, and asks the service.)
	 *
	 * @throws NodeApiError the service could not be asked
	 */
	async wakeEnded(signal?: AbortSignal): Promise<void> {
		const { waits } = this.state;
		// What begins to wait meanwhile may not be in the list yet.
		const unseen = new Set(waits.all().flatMap(({ documents }) => documents));
		let isComplete = false;
		const inProgress = pagesOf(this.context, async (cursor) => {
			const query = { status: 'in_progress', limit: MAX_ENTRIES, cursor };
			const page = await client.call(this.context, 'GET /documents', { query, signal });
			isComplete = !page.has_more || !page.next_cursor;
			return page;
		});
		for (let pages = 0; pages < unseen.size && !isComplete; pages++) {
			const { value = [] } = await inProgress.next();
			for (const { id } of value) unseen.delete(id);
		}
		if (isComplete) waits.countDown((id) => unseen.has(id));
		this.wake(waits.all().filter(({ documents }) => documents.every((id) => unseen.has(id))));
	}

	/**
	 * Calls one execution until it has resumed, or rightly sleeps. n8n saves what is kept here with
	 * the next request.
	 */
	private async callUntilClear(wait: WaitingExecution): Promise<void> {
		const { waits } = this.state;
		let timesAsleep = 0;
		for (let tries = 0; ; tries++) {
			const result = await this.call(wait);
			const held = waits.get(wait.id);
			if (!held) return;
			if (result.kind === 'over') return waits.remove(held.id);

			if (result.kind === 'asleep') {
				timesAsleep++;
				// It sleeps for a document whose end was not lost: the event comes, or the hourly look sees
				// it.
				if (timesAsleep === TIMES_ASLEEP) return waits.reopen(held, result.open);
			}
			const pause = pauseAfter(result, tries);
			if (result.kind === 'unclear' && (tries === 0 || pause === undefined)) {
				const what = `execution ${wait.execution} could not be woken: ${result.why}`;
				const when = pause === undefined ? 'within the hour' : 'soon';
				log(this.context, 'warn', `${what}. It is tried again ${when}.`);
			}
			if (pause === undefined) return;

			await client.pause(pause);
		}
	}

	private async call(wait: WaitingExecution): Promise<WakeResult> {
		const { calls } = this.state.process;
		while (calls.size >= PARALLEL_CALLS) await Promise.race(calls);
		const calling = this.callNow(wait).catch(({ message }: Error): WakeResult => ({
			kind: 'unclear',
			why: message,
		}));
		calls.add(calling);
		return await calling.finally(() => calls.delete(calling));
	}

	/** @throws TypeError the trigger's URL is none, as where a process has a wrong WEBHOOK_URL */
	private async callNow(wait: WaitingExecution): Promise<WakeResult> {
		// The service waits for the answers to deliveries.
		await this.state.process.deliveriesEnded();
		const options = { key: messageKey(wait.id), timeout: LONGEST_CALL_MS };
		return wakeResultOf(await post(this.context, calledAt(wait.resumeUrl, this.url), {}, options));
	}
}
