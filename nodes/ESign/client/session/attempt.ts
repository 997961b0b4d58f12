import { NodeOperationError, type IN8nHttpFullResponse } from 'n8n-workflow';
import { methodOf } from '../call/address';
import { ruleOf } from '../../service/endpoints';
import { exchange, type PreparedCall } from '../call/exchange';
import { asThrown } from '../errors/asThrown';
import { outcomeOf, outcomeOfBrokenConnection, type Outcome } from '../call/outcome';
import { rateReadingOf } from '../call/rateHeaders';
import type { Answer } from '../pacing/pacer';
import { instantOf, type Instant } from '../settings';
import type { Session } from './session';
import { runOf } from '../run';
import { Cancelled } from '../pacing/waiting';

export type Attempt = { outcome: Outcome; sent: Instant };

/** Answers that are lists. */
const LISTS = new Set(['data', 'fields', 'recipients', 'roles']);

const RATE_LIMIT = (seconds: number) => `Waited ${seconds} s for the rate limit of the API key`;

/** A call may take so many times as long as it may be silent. A file of 25 MB takes its time on a slow line. */
const LONGEST_ANSWER = 2;
const LONGEST_UPLOAD = 10;

/**
 * Sends a call once, when the key's pace allows it.
 *
 * @param sending is told right before the request goes out
 * @throws Cancelled when the execution ends first, or while the service answers
 * @throws WaitTooLong when the rate limit resets later than in `patienceMs`, or than the deadline of the call
 */
export async function attempt(
	session: Session,
	call: PreparedCall,
	patienceMs: number,
	sending: (at: Instant) => void,
): Promise<Attempt> {
	const { context, settings, state, signal, group, deadline } = session;
	const { pacer } = state;
	const permit = await pacer.permit(group, { patienceMs, deadline }, signal);
	const perWindow = pacer.limit === undefined ? '' : ` (${pacer.limit} requests per minute)`;
	runOf(context).hintAtWaiting(RATE_LIMIT, permit.waitedMs, settings.hintAfterMs, perWindow);
	const sent = instantOf(settings.clock);
	const sentAt = sent.at;
	const leftMs = Math.max(1, deadline - sentAt);
	const timeoutMs = Math.min(call.timeoutMs, leftMs);
	const patience = ruleOf(call.endpoint).upload ? LONGEST_UPLOAD : LONGEST_ANSWER;
	sending(sent);
	let answer: Answer = 'unanswered';
	let isRefused = false;
	try {
		const exchanged = exchange(context, session.service, { ...call, timeoutMs });
		const response = await within(Math.min(call.timeoutMs * patience, leftMs), exchanged);
		const received = instantOf(settings.clock);
		const receivedAt = received.at;
		state.serverClock.readDate(response.headers.date, received);
		answer = answerOf(response, sentAt, receivedAt);
		const outcome = complete(call, outcomeOf(response, methodOf(call.endpoint), receivedAt));
		isRefused = outcome.kind === 'refused';
		const isCreated = outcome.kind === 'done' && ruleOf(call.endpoint).retry === 'lookFirst';
		if (isCreated) state.serverClock.readCreated(outcome.body.created_at, received);
		return { outcome, sent };
	} catch (error) {
		const cancelled = signal?.aborted ? new Cancelled(sent) : undefined;
		if (cancelled) throw cancelled;
		if (error instanceof NodeOperationError) throw asThrown(error);
		return { outcome: outcomeOfBrokenConnection(error), sent };
	} finally {
		// A refusal may end the run of the node: those of its calls that wait are not to be sent before that is known.
		if (isRefused) void settings.clock.sleep(0).then(() => pacer.answered(permit, answer));
		else pacer.answered(permit, answer);
	}
}

/**
 * The answer, if it comes in time. n8n's client counts silence only: an answer that comes byte by byte, or one that changes the
 * protocol (status 101), would keep the call, and all that waits for it, for ever.
 */
async function within<Answered>(milliseconds: number, answer: Promise<Answered>): Promise<Answered> {
	const end = AbortSignal.timeout(Math.ceil(milliseconds));
	let giveUp = (): void => undefined;
	const tooLate = new Promise<never>((_, reject) => {
		giveUp = () => reject(Object.assign(new Error('The answer did not end'), { code: 'ETIMEDOUT' }));
	});
	end.addEventListener('abort', giveUp);
	try {
		return await Promise.race([answer, tooLate]);
	} finally {
		end.removeEventListener('abort', giveUp);
	}
}

/** Something between n8n and the service may answer without the headers; only the service's own answers count. */
function answerOf(response: IN8nHttpFullResponse, sentAt: number, receivedAt: number): Answer {
	const reading = rateReadingOf(response, sentAt, receivedAt);
	if (reading !== 'none') return reading === 'malformed' ? 'unanswered' : reading;
	return response.statusCode < 300 ? 'no limit' : 'unanswered';
}

/** An answer is of its kind, or it is none: a gateway may answer any request with a page or with JSON of its own. */
function complete({ endpoint }: PreparedCall, outcome: Outcome): Outcome {
	if (outcome.kind !== 'done' || outcome.isEmpty) return outcome;
	const { answer } = ruleOf(endpoint);
	const held = outcome.body[answer];
	const isAnswer = LISTS.has(answer) ? Array.isArray(held) : held !== undefined && held !== null;
	return isAnswer ? outcome : { kind: 'unknown', reason: 'the answer of the service was incomplete', late: true };
}
