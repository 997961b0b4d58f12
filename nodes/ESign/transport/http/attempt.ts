import { NodeOperationError, type IN8nHttpFullResponse } from 'n8n-workflow';
import { methodOf } from './address';
import { ruleOf } from '../../service/endpoints';
import { exchange, type PreparedCall } from './exchange';
import { outcomeOf, outcomeOfBrokenConnection, rateReadingOf, type Outcome } from '../retry/outcome';
import type { Answer } from '../pacing/pacer';
import type { Session } from '../session/session';
import { noteWait } from '../pacing/waitHint';
import { Cancelled } from '../pacing/waiting';

export type Attempt = { outcome: Outcome; sentAt: number };

/**
 * Sends a call once, when the key's pace allows it.
 *
 * @throws Cancelled when the execution ends first, or while the service answers
 * @throws WaitTooLong when the rate limit resets later than in `patienceMs`
 */
export async function attempt(session: Session, call: PreparedCall, patienceMs: number): Promise<Attempt> {
	const { context, settings, state, signal, group } = session;
	const { pacer } = state;
	const permit = await pacer.permit(group, patienceMs, signal);
	noteWait(context, permit.waitedMs, pacer.limit, settings.hintAfterMs);
	const sentAt = settings.clock.now();
	let answer: Answer = 'unanswered';
	try {
		const response = await exchange(context, session.service, call);
		const receivedAt = settings.clock.now();
		state.serverClock.read(response.headers.date, receivedAt);
		answer = answerOf(response, sentAt, receivedAt);
		return { outcome: complete(call, outcomeOf(response, methodOf(call.endpoint), receivedAt)), sentAt };
	} catch (error) {
		const failure: unknown = error;
		if (signal?.aborted) throw underWay();
		if (failure instanceof NodeOperationError) throw failure;
		return { outcome: outcomeOfBrokenConnection(failure), sentAt };
	} finally {
		pacer.answered(permit, answer);
	}
}

/** Something between n8n and the service may answer without the headers; only the service's own answers count. */
function answerOf(response: IN8nHttpFullResponse, sentAt: number, receivedAt: number): Answer {
	const reading = rateReadingOf(response, sentAt, receivedAt);
	if (reading) return reading;
	return response.statusCode < 300 ? 'no limit' : 'unanswered';
}

/** A creating call whose answer names no id might as well have been cut short. */
function complete(call: PreparedCall, outcome: Outcome): Outcome {
	const isCut =
		outcome.kind === 'done' && ruleOf(call.endpoint).retry === 'lookFirst' && typeof outcome.body.id !== 'string';
	return isCut ? { kind: 'unknown', reason: 'the answer of the service was incomplete' } : outcome;
}

function underWay(): Cancelled {
	const cancelled = new Cancelled();
	cancelled.mayHaveHappened = true;
	return cancelled;
}
