import { NodeOperationError } from 'n8n-workflow';
import { ruleOf } from '../../service/endpoints';
import { exchange } from '../call/exchange';
import { outcomeOf, outcomeOfBrokenConnection, type Outcome } from '../call/outcome';
import { asThrown } from '../errors/asThrown';
import type { Answer } from '../pacing/pacer';
import { Cancelled } from '../pacing/pause';
import { answerOf } from '../pacing/rateHeaders';
import { timestampOf, type Timestamp } from '../settings';
import type { Call } from './call';

const RATE_LIMIT = (seconds: number) => `Waited ${seconds} s for the rate limit of the API key`;

/**
 * Sends a call once, when the key's pace allows it.
 *
 * @param sending is told right before the request goes out
 * @throws Cancelled when the execution ends first, or while the service answers
 * @throws WaitTooLong when the rate limit resets later than in `patienceMs`, or than the deadline of the call
 */
export async function attempt(
	call: Call,
	patienceMs: number,
	sending: (at: Timestamp) => void,
): Promise<{ outcome: Outcome; sent: Timestamp }> {
	const { context, run, settings, signal, deadline } = call;
	const { pacer, serverClock } = call.key;
	const permit = await pacer.permit(run.execution, { patienceMs, deadline }, signal);
	const perWindow = pacer.limit === undefined ? '' : ` (${pacer.limit} requests per minute)`;
	run.hintAtWaiting(RATE_LIMIT, permit.waitedMs, settings.hintAfterMs, perWindow);
	const sent = timestampOf(settings.clock);
	sending(sent);
	let answer: Answer = 'unanswered';
	let isRefused = false;
	try {
		const response = await exchange(context, call.service, call, Math.max(1, deadline - sent.at));
		const received = timestampOf(settings.clock);
		serverClock.readDate(response.headers.date, received);
		answer = answerOf(response, sent.at, received.at);
		const outcome = outcomeOf(response, call.endpoint, received.at);
		isRefused = outcome.kind === 'refused';
		const isCreated = outcome.kind === 'done' && ruleOf(call.endpoint).retry === 'lookFirst';
		if (isCreated) serverClock.readCreated(outcome.body.created_at, received);
		return { outcome, sent };
	} catch (error) {
		const cancelled = signal.aborted ? new Cancelled(sent) : undefined;
		if (cancelled) throw cancelled;
		if (error instanceof NodeOperationError) throw asThrown(error);
		return { outcome: outcomeOfBrokenConnection(error), sent };
	} finally {
		// A refusal may end the run of the node: those of its calls that wait are not to be sent before that is known.
		if (isRefused) void settings.clock.sleep(0).then(() => pacer.answered(permit, answer));
		else pacer.answered(permit, answer);
	}
}
