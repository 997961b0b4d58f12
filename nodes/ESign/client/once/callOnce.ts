import type { IDataObject } from 'n8n-workflow';
import { CUT_SHORT } from '../call/outcome';
import { asThrown, isGone } from '../errors/failure';
import { stillInDoubt } from '../errors/givenUp';
import { refusal } from '../errors/refusal';
import { Cancelled } from '../pacing/pause';
import { Attempts } from './attempts';
import type { Call } from './call';
import { reportDuplicates } from './looks';
import { AGAIN, policyOf } from './policies';
import { tellTaken } from './telling';
import { callAsSent, pursue, unsent } from './unfinished/pursue';
import type { Unfinished } from './unfinished/unfinished';

/**
 * Carries out a call so that its effect happens once (docs/architecture.md section 4). An
 * unfinished request that asked for the very same is taken over first.
 * @returns the body of the success response, or of what an earlier request is found to have left
 * @throws Cancelled, NodeApiError with everything that is known about the outcome
 */
export async function callOnce(call: Call): Promise<IDataObject> {
	const now = unsent(call);
	const isKept = policyOf(call) !== AGAIN;
	const work = async (one: Unfinished, isTaken: boolean) => {
		// Sent as it was sent first: an expression such as `$now` gives another value at each try.
		const asSent = one.alike === undefined ? call : callAsSent(call, one);
		one.isOpen ||= call.request.mayBeDone === true;
		try {
			return await carryOut(new Attempts(asSent, one, isKept), isTaken);
		} catch (error) {
			if (error instanceof Cancelled) error.mayHaveHappened ||= one.isOpen;
			throw asThrown(error);
		}
	};
	return isKept ? await pursue(call, now, work) : await work(now, false);
}

async function carryOut(attempts: Attempts, isTaken: boolean): Promise<IDataObject> {
	const { call, one } = attempts;
	const { meet } = policyOf(call);
	for (let isRepeated = isTaken; ; isRepeated = true) {
		const found = one.isOpen ? await meet(attempts) : undefined;
		if (found) return done(attempts, found);
		const outcome = await attempts.send();
		if (!outcome) continue;
		if (outcome.kind === 'refused')
			return await refused(attempts, outcome.status, outcome.body, isTaken);
		const body = done(attempts, outcome.body);
		if (isRepeated) await reportDuplicates(call, one, String(body.id));
		return body;
	}
}

function done({ call, one }: Attempts, body: IDataObject): IDataObject {
	one.isOpen = false;
	if (!call.endpoint.startsWith('GET ')) call.memory.returned.set(String(body.id), true);
	return body;
}

async function refused(
	attempts: Attempts,
	status: number,
	body: unknown,
	isTaken: boolean,
): Promise<IDataObject> {
	const { call, one, isKept } = attempts;
	const error = refusal(call, status, body);
	if (!one.isOpen || !isKept) throw error;
	const { told } = policyOf(call);
	const wasLost = isTaken || one.outcome !== CUT_SHORT;
	const lostAnswer = told?.[status] ?? (wasLost ? told?.other : undefined);
	// A repetition that is refused for another reason says nothing of the request before it.
	if (wasLost && (!lostAnswer || (status === 404 && !isGone(error))))
		throw stillInDoubt(call, error);
	const found = await lostAnswer?.(call, one);
	one.isOpen = false;
	if (!found) throw error;
	if (isTaken) tellTaken(call, String(call.request.path?.id));
	return done(attempts, found);
}
