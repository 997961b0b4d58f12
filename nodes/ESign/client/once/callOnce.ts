import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../service/endpoints';
import type { ResponseOf } from '../../service/wire';
import type { ApiRequest } from '../call/address';
import { asThrown } from '../errors/asThrown';
import { isGone } from '../errors/callFailure';
import { stillInDoubt } from '../errors/givenUp';
import { refusal } from '../errors/refusal';
import { fingerprint } from '../fingerprint';
import { Cancelled } from '../pacing/pause';
import { timestampOf } from '../settings';
import { Attempts } from './attempts';
import { callOf, type Ask, type Call, type Caller } from './call';
import { reportDuplicates } from './looks';
import { AGAIN, alikeOf, policyOf } from './policies';
import { tell, tellTaken } from './telling';
import { callAsSent, pursue } from './unfinished/pursue';
import { unsent, type Unfinished } from './unfinished/unfinished';

/** A call that is ready to be made, and how it calls other endpoints on its behalf. */
export function callBy(caller: Caller, endpoint: Endpoint, request: ApiRequest): Call {
	const ask: Ask = async <E extends Endpoint>(
		other: E,
		asked: ApiRequest = {},
		attempts = caller.attempts,
	): Promise<ResponseOf[E]> => {
		try {
			const call = callOf({ ...caller, attempts }, other, { itemIndex: request.itemIndex, ...asked }, ask);
			return (await callOnce(call)) as ResponseOf[E];
		} catch (error) {
			// Whether the call on whose behalf it was has had an effect is for that call to say.
			throw error instanceof Cancelled ? new Cancelled() : asThrown(error);
		}
	};
	return callOf(caller, endpoint, request, ask);
}

/** The request of a call, and whose it is. */
export function unsentRequest(call: Call): Unfinished {
	const { service, endpoint, path, request, itemTry, settings } = call;
	const { workspaceMode } = service;
	// A call that replaces something counts for whatever comes after it.
	const body = endpoint.startsWith('PUT ') ? undefined : request.body;
	const asked = fingerprint([workspaceMode, endpoint, path, body]);
	const what = { workspaceMode, endpoint, asked, request: { path: request.path, body }, alike: alikeOf(call) };
	return unsent(what, itemTry, timestampOf(settings.clock));
}

/**
 * Carries out a call so that its effect happens once, whatever fails on the way (docs/architecture.md section 4). A request of
 * an earlier try, or of anybody else, that asked for the very same and is not through is taken over first.
 *
 * @returns the body of the success response, or of what an earlier request is found to have left
 * @throws Cancelled
 * @throws NodeApiError with everything that is known about the outcome
 */
export async function callOnce(call: Call): Promise<IDataObject> {
	const now = unsentRequest(call);
	const isKept = policyOf(call) !== AGAIN;
	const work = async (one: Unfinished, isTaken: boolean) => {
		// Sent as it was sent first: an expression such as `$now` gives another value at each try.
		const asSent = isTaken && one.alike !== undefined ? callAsSent(call, one) : call;
		one.isOpen ||= call.request.mayBeDone === true;
		try {
			return await carryOut(new Attempts(asSent, one, isKept), isTaken);
		} catch (error) {
			if (error instanceof Cancelled) error.mayHaveHappened ||= one.isOpen;
			throw asThrown(error);
		}
	};
	return isKept ? await pursue(call, now, now.alike, work) : await work(now, false);
}

async function carryOut(attempts: Attempts, isTaken: boolean): Promise<IDataObject> {
	const { call, one } = attempts;
	const { meet } = policyOf(call);
	for (let isRepeated = isTaken; ; isRepeated = true) {
		const found = one.isOpen ? await meet(attempts) : undefined;
		if (found) return done(attempts, found);
		const outcome = await attempts.send();
		if (!outcome) continue;
		if (outcome.kind === 'refused') return await refused(attempts, outcome, isTaken);
		const body = done(attempts, outcome.body);
		if (isRepeated) await tellOfSpares(attempts, String(body.id));
		return body;
	}
}

function done({ call, one }: Attempts, body: IDataObject): IDataObject {
	one.isOpen = false;
	if (typeof body.id === 'string' && !call.endpoint.startsWith('GET ')) call.memory.returned.set(body.id, true);
	return body;
}

async function refused(
	attempts: Attempts,
	{ status, body }: { status: number; body: unknown },
	isTaken: boolean,
): Promise<IDataObject> {
	const { call, one } = attempts;
	const { tellingStatus, tell: lostAnswer } = policyOf(call);
	const error = refusal(call, status, body);
	if (!one.isOpen || policyOf(call) === AGAIN) throw error;
	// A repetition that is refused for another reason says nothing of the request before it.
	if (status !== tellingStatus || (status === 404 && !isGone(error))) throw stillInDoubt(call, error);
	const found = await lostAnswer?.(call);
	one.isOpen = false;
	if (!found) throw error;
	if (isTaken) tellTaken(call, `What was asked for ${call.request.path?.id ?? ''}`);
	return done(attempts, found);
}

/** What an earlier request has created, beside what has come of the one that was answered. */
async function tellOfSpares({ call, one }: Attempts, id: string): Promise<void> {
	const { context, endpoint, request } = call;
	if (one.alike !== undefined && one.times > 0) await reportDuplicates(call, one, id);
	if (endpoint !== 'POST /documents' && request.body?.send !== false) return;
	tell(
		context,
		`The answer to a request was lost, and the draft ${id} comes from the next one. There may be a second draft like it, which is never sent.`,
	);
}
