import type { IDataObject } from 'n8n-workflow';
import { ruleOf, type RetryPolicy } from '../../service/endpoints';
import type { DocumentStatus } from '../../service/wire';
import type { Attempts } from './attempts';
import { ask, type Call } from './call';
import { reconcilerOf } from './looking/reconcilers';
import { adopt, inDoubt, lookUntilCertain } from './looks';
import { tellTaken, waitUntilCertain } from './telling';
import type { Unfinished } from './unfinished/unfinished';

/**
 * While its effect may come late, a call is sent this often at most, however many attempts are
 * left.
 */
const MAX_TIMES = 2;

/**
 * How a call goes on that may have been carried out already. The loop in callOnce.ts goes by it.
 */
export type Policy = {
	/**
	 * The answer that was lost; undefined if the call is to be sent (again). @throws NodeApiError if
	 * it is not to be sent
	 */
	meet: (attempts: Attempts) => Promise<IDataObject | undefined>;
	/**
	 * The answer that was lost, by the status of a refusal that tells of it, or of any other;
	 * undefined if the refusal stands.
	 */
	told?: Partial<
		Record<number | 'other', (call: Call, one: Unfinished) => Promise<IDataObject | undefined>>
	>;
};

const backOff: Policy['meet'] = async (attempts) => await attempts.backOff(attempts.one.outcome);

/**
 * Repeating it changes nothing, or leaves a spare that harms nobody: what it asks for is not kept.
 */
export const AGAIN: Policy = { meet: backOff };

/** Creates what is not harmless, and would do so twice. */
export const LOOK_FIRST: Policy = { meet: lookFirst };

const POLICIES: Record<RetryPolicy, Policy> = {
	again: AGAIN,
	againWhenCertain: { meet: sendWhenCertain },
	againUntilGone: { meet: backOff, told: { 404: deleted } },
	againThenRead: { meet: backOffThenRead, told: { 409: readState, other: readWhenCertain } },
	lookFirst: LOOK_FIRST,
	never: { meet: stop },
};

export function policyOf({ endpoint, request }: Call): Policy {
	const { retry } = ruleOf(endpoint);
	// What is not to be sent is a draft, which harms nobody.
	return retry === 'lookFirst' && request.body?.send === false ? AGAIN : POLICIES[retry];
}

async function backOffThenRead(attempts: Attempts): Promise<IDataObject | undefined> {
	const { call, one } = attempts;
	if (!attempts.areUsedUp) return await attempts.backOff(one.outcome);
	const found = await readWhenCertain(call, one);
	one.isOpen = false;
	if (!found) throw attempts.exhausted(one.outcome);
	return found;
}

async function lookFirst(attempts: Attempts): Promise<IDataObject | undefined> {
	const { call, one } = attempts;
	const found = await lookUntilCertain(call, one);
	const body = found && (await adopt(call, found));
	one.isOpen = false;
	one.found = found?.id;
	const isCancelled = found?.status === 'cancelled' ? ', which was cancelled since' : '';
	if (body) tellTaken(call, `${reconcilerOf(call).thing} ${found.id}${isCancelled}`);
	else if (!mayBeRepeated(attempts)) throw attempts.exhausted(one.outcome, 'looked for');
	return body;
}

/** The effect of a lost request may come after that of the next one, and would undo it. */
async function sendWhenCertain(attempts: Attempts): Promise<undefined> {
	const { call, one } = attempts;
	if (!mayBeRepeated(attempts)) throw attempts.exhausted(one.outcome);
	await waitUntilCertain(call, one);
}

function mayBeRepeated({ one, areUsedUp, failures }: Attempts): boolean {
	return !areUsedUp && (one.times < MAX_TIMES || failures === 0);
}

/** Nothing at the service tells whether a reminder has gone out. */
async function stop(attempts: Attempts): Promise<never> {
	throw attempts.exhausted(attempts.one.outcome);
}

/** A 404 says that the request before it has deleted. */
async function deleted({ path }: Call): Promise<IDataObject> {
	return { id: decodeURIComponent(path.slice(path.lastIndexOf('/') + 1)), deleted: true };
}

/**
 * The states that show that a call has been carried out (docs/service.md section 3). A cancelled
 * document is not out.
 */
const WANTED: Partial<Record<string, readonly DocumentStatus[]>> = {
	'POST /documents/{id}/send': ['in_progress', 'completed', 'declined', 'expired'],
	'POST /documents/{id}/cancel': ['cancelled'],
};

/**
 * Another worker that retries this is to see what is out, and not what may still go out. Throws as
 * `readState` does.
 */
async function readWhenCertain(call: Call, one: Unfinished): Promise<IDataObject | undefined> {
	await waitUntilCertain(call, one);
	return await readState(call);
}

/**
 * The document, if it is in the state that was wanted. @throws NodeApiError if it cannot be read
 */
async function readState(call: Call): Promise<IDataObject | undefined> {
	const unread = `what it did to ${String(call.request.path?.id)} is not known`;
	const document = await ask(call, 'GET /documents/{id}', { path: call.request.path }).catch(
		inDoubt(call, unread),
	);
	return WANTED[call.endpoint]?.includes(document.status) ? document : undefined;
}
