import {
	NodeOperationError,
	type IHttpRequestMethods,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
} from 'n8n-workflow';
import { asThrown } from '../errors/failure';
import { Cancelled, unlessFired } from '../pacing/pause';
import { answerOf, type Answer } from '../pacing/rateWindow';
import { CREDENTIAL_TYPE, type Words } from '../run';
import { timestampOf } from '../settings';
import { pathOf, type Call } from './call';
import { outcomeOf, outcomeOfBrokenConnection, type Outcome } from './outcome';

/**
 * A call may take so many times as long as it may be silent. A file of 25 MB takes its time on a
 * slow line.
 */
const LONGEST_ANSWER = 2;
const LONGEST_UPLOAD = 10;

/** The last one is the time waited in all. */
const WAITED: Words = (times) => `Waited ${times.at(-1)}`;

/**
 * Sends a request once, when the key's pace allows it.
 *
 * @throws Cancelled when the execution ends
 * @throws WaitTooLong when the rate limit resets later than in `patienceMs`, or than the deadline
 */
export async function sendRequest(call: Call): Promise<Outcome> {
	const { run, settings, signal, deadline, endpoint } = call;
	const path = pathOf(call);
	const { pacer, serverClock } = call.key;
	const permit = await pacer.permit(run.execution, call);
	run.waitedMs += permit.waitedMs;
	if (permit.waitedMs > 0 && run.waitedMs >= settings.hintAfterMs) {
		const perWindow = pacer.limit === undefined ? '' : ` (${pacer.limit} requests per minute)`;
		const seconds = Math.round(run.waitedMs / 1000);
		run.hintAt(WAITED, `${seconds} s for the rate limit of the API key${perWindow}`, 'info');
	}
	const { itemIndex } = call.request;
	run.requests.set(itemIndex, (run.requests.get(itemIndex) ?? 0) + 1);
	const sent = timestampOf(settings.clock);
	let answer: Answer = 'unanswered';
	let isRefused = false;
	try {
		const response = await exchange(call, path, Math.max(1, deadline - sent.at));
		const received = timestampOf(settings.clock);
		serverClock.read(response.headers.date, received);
		answer = answerOf(response, sent.at, received.at);
		const outcome = outcomeOf(response, endpoint);
		isRefused = outcome.kind === 'refused';
		return outcome;
	} catch (error) {
		if (signal.aborted) throw asThrown(new Cancelled(true));
		if (error instanceof NodeOperationError) throw asThrown(error);
		return outcomeOfBrokenConnection(error);
	} finally {
		// A refusal may end the run of the node: those of its calls that wait are not to be sent before
		// that is known.
		if (isRefused) void settings.clock.sleep(0).then(() => pacer.answered(permit, answer));
		else pacer.answered(permit, answer);
	}
}

/** @throws Error where the connection gives no response of any status, or none within `leftMs` */
async function exchange(call: Call, path: string, leftMs: number): Promise<IN8nHttpFullResponse> {
	const { context, settings, service, endpoint, request } = call;
	const { query, body, encoded } = request;
	const usualMs = encoded ? settings.transferTimeoutMs : settings.requestTimeoutMs;
	const { timeoutMs = usualMs } = request;
	const options: IHttpRequestOptions = {
		method: endpoint.split(' ')[0] as IHttpRequestMethods,
		url: `${service.baseUrl}${path}`,
		qs: query,
		body: encoded?.bytes() ?? body,
		headers: {
			Accept: 'application/json',
			...(encoded && { 'Content-Type': encoded.contentType }),
		},
		timeout: Math.min(timeoutMs, leftMs),
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
	const answer = context.helpers.httpRequestWithAuthentication.call(
		context,
		CREDENTIAL_TYPE,
		options,
	);
	const longest = encoded ? LONGEST_UPLOAD : LONGEST_ANSWER;
	return (await within(Math.min(timeoutMs * longest, leftMs), answer)) as IN8nHttpFullResponse;
}

/** The code of the error where an answer does not come in time. */
export const TOO_LATE = 'ETIMEDOUT';

/**
 * The answer, if it comes in time. n8n's client counts silence only: one that comes byte by byte
 * would keep the call for ever.
 */
export async function within<Answered>(
	milliseconds: number,
	answer: Promise<Answered>,
): Promise<Answered> {
	const signal = AbortSignal.timeout(Math.ceil(milliseconds));
	const tooLate = () => Object.assign(new Error('The answer did not end'), { code: TOO_LATE });
	return await unlessFired(signal, answer, tooLate);
}
