import { NodeOperationError } from 'n8n-workflow';
import { ruleOf } from '../../service/endpoints';
import type { Service } from '../credentials';
import { asThrown } from '../errors/asThrown';
import type { Answer, Pacer } from '../pacing/pacer';
import { answerOf } from '../pacing/rateHeaders';
import type { ApiContext, Run } from '../run';
import { timestampOf, type ClientSettings, type Timestamp } from '../settings';
import { exchange, type Prepared } from './exchange';
import { CUT_SHORT, outcomeOf, outcomeOfBrokenConnection, type Outcome } from './outcome';
import type { ServerClock } from './serverClock';

/** What the process knows of one key: its pace, and the service's clock. */
export type Key = { pacer: Pacer; serverClock: ServerClock };

/** Whoever sends. */
export type Sender = {
	context: ApiContext;
	run: Run;
	settings: ClientSettings;
	service: Service;
	key: Key;
	signal: AbortSignal;
	/** When the call is given up, whatever has become of it; `Infinity` where nothing presses. */
	deadline: number;
};

const RATE_LIMIT = (seconds: number) => `Waited ${seconds} s for the rate limit of the API key`;

/**
 * Sends a request once, when the key's pace allows it.
 *
 * @param sending is told right before it goes out
 * @returns `CUT_SHORT` when the execution ends while the service answers
 * @throws Cancelled when the execution ends before it is sent
 * @throws WaitTooLong when the rate limit resets later than in `patienceMs`, or than the deadline
 */
export async function sendOnce(
	call: Sender & Prepared,
	patienceMs: number,
	sending: (sent: Timestamp) => void,
): Promise<Outcome> {
	const { context, run, settings, service, signal, deadline, endpoint } = call;
	const { pacer, serverClock } = call.key;
	const permit = await pacer.permit(run.execution, { patienceMs, deadline }, signal);
	const perWindow = pacer.limit === undefined ? '' : ` (${pacer.limit} requests per minute)`;
	run.hintAtWaiting(RATE_LIMIT, permit.waitedMs, settings.hintAfterMs, perWindow);
	const sent = timestampOf(settings.clock);
	sending(sent);
	let answer: Answer = 'unanswered';
	let isRefused = false;
	try {
		const response = await exchange(context, service, call, Math.max(1, deadline - sent.at));
		const received = timestampOf(settings.clock);
		serverClock.readDate(response.headers.date, received);
		answer = answerOf(response, sent.at, received.at);
		const outcome = outcomeOf(response, endpoint, received.at);
		isRefused = outcome.kind === 'refused';
		const isCreated = outcome.kind === 'done' && ruleOf(endpoint).retry === 'lookFirst';
		if (isCreated) serverClock.readCreated(outcome.body.created_at, received);
		return outcome;
	} catch (error) {
		if (signal.aborted) return CUT_SHORT;
		if (error instanceof NodeOperationError) throw asThrown(error);
		return outcomeOfBrokenConnection(error);
	} finally {
		// A refusal may end the run of the node: those of its calls that wait are not to be sent before that is known.
		if (isRefused) void settings.clock.sleep(0).then(() => pacer.answered(permit, answer));
		else pacer.answered(permit, answer);
	}
}
