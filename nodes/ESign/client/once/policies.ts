import { NodeApiError, type IDataObject } from 'n8n-workflow';
import { ruleOf, type RetryPolicy } from '../../service/endpoints';
import type { DocumentStatus } from '../../service/wire';
import { asThrown } from '../errors/asThrown';
import type { Attempts } from './attempts';
import type { Call } from './call';
import { reconcilerOf } from './looking/reconcilers';
import { filterOf, lookUntilCertain } from './looks';
import { tellOfWait, tellTaken, waitUntil } from './telling';
import { inDoubtForGood } from './unanswered';
import type { Unfinished } from './unfinished/unfinished';

/** While its effect may come late, a call is sent this often at most, however many attempts are left. */
const MAX_TIMES = 2;

/** How a call goes on that may have been carried out already. The loop in callOnce.ts goes by it. */
export type Policy = {
	/** Kept as long as its outcome is not known. */
	isKept?: true;
	/** Calls that go one after the other. */
	alike?: (call: Call) => string;
	/**
	 * What the requests so far have done, before the call is sent (again).
	 *
	 * @returns the answer that was lost; undefined if the call is to be sent
	 * @throws NodeApiError if it is not to be sent
	 */
	meet?: (call: Call, one: Unfinished, attempts: Attempts) => Promise<IDataObject | undefined>;
	/** What a refusal says of the requests before it: the body of a success, or undefined if the refusal stands. */
	refused?: (call: Call, status: number) => Promise<IDataObject | undefined>;
	/** Whether a refusal leaves open what the requests before it have done. */
	refusalLeavesOpen?: (status: number) => boolean;
	/** The answer of a call that was sent as often as it may be, if that can be found. */
	silent?: (call: Call) => Promise<IDataObject | undefined>;
};

const POLICIES: Record<RetryPolicy, Policy> = {
	again: {},
	againWhenCertain: { isKept: true, meet: waitUntilCertain, refusalLeavesOpen: () => true },
	againUntilGone: { isKept: true, refused: deleted, refusalLeavesOpen: (status) => status !== 404 },
	againThenRead: {
		isKept: true,
		refused: async (call, status) => (status === 409 ? await readState(call) : undefined),
		refusalLeavesOpen: (status) => status !== 409,
		silent: async (call) => await readState(call).catch(notSaid),
	},
	lookFirst: { isKept: true, alike: (call) => reconcilerOf(call).alike, meet: lookFirst },
	never: { isKept: true, meet: stop },
};

export function policyOf({ endpoint, request }: Call): Policy {
	const { retry } = ruleOf(endpoint);
	// What is not to be sent is a draft, which harms nobody.
	return POLICIES[retry === 'lookFirst' && request.body?.send === false ? 'again' : retry];
}

/** docs/architecture.md section 4, "Looking first". */
async function lookFirst(call: Call, one: Unfinished, attempts: Attempts): Promise<IDataObject | undefined> {
	const reconciler = reconcilerOf(call);
	const found = await lookUntilCertain(call, reconciler, one);
	const body = found && (await reconciler.adopt(filterOf(call, one), found));
	if (body) tellTaken(call, `The ${reconciler.thing} ${String(body.id)}`);
	attempts.inDoubt = false;
	if (body || (one.times < MAX_TIMES && !attempts.areUsedUp)) return body;
	throw attempts.exhausted(one.outcome, 'looked for');
}

/** The effect of a lost request may come after that of the next one, and would undo it. */
async function waitUntilCertain(call: Call, one: Unfinished, attempts: Attempts): Promise<undefined> {
	if (attempts.areUsedUp || (one.times >= MAX_TIMES && attempts.failures > 0)) throw attempts.exhausted(one.outcome);
	if (one.certainAt <= call.settings.clock.now()) return;
	attempts.throwIfTooLate(one.certainAt, one.outcome);
	tellOfWait(call, one.certainAt);
	await waitUntil(call, one.certainAt);
}

/** Nothing at the service tells whether a reminder has gone out. */
async function stop(_: Call, { outcome }: Unfinished, attempts: Attempts): Promise<never> {
	throw attempts.exhausted(outcome);
}

/** A 404 says that the request before it has deleted. */
async function deleted({ endpoint, request }: Call, status: number): Promise<IDataObject | undefined> {
	const name = /\{(\w+)\}$/.exec(endpoint)?.[1] ?? '';
	return status === 404 ? { id: request.path?.[name]?.trim(), deleted: true } : undefined;
}

/** The states that show that a call has been carried out (docs/service.md section 3). A cancelled document is not out. */
const WANTED: Partial<Record<string, readonly DocumentStatus[]>> = {
	'POST /documents/{id}/send': ['in_progress', 'completed', 'declined', 'expired'],
	'POST /documents/{id}/cancel': ['cancelled'],
};

/** The document, if it is in the state that was wanted. @throws NodeApiError if it cannot be read */
async function readState(call: Call): Promise<IDataObject | undefined> {
	const { path, itemIndex } = call.request;
	try {
		const document = await call.ask('GET /documents/{id}', { path, itemIndex });
		return WANTED[call.endpoint]?.includes(document.status) ? document : undefined;
	} catch (error) {
		if (!(error instanceof NodeApiError)) throw asThrown(error);
		throw inDoubtForGood(call, 'what it did to the document is not known', error);
	}
}

/** The failure of the call itself says more than that of a look at its result. */
function notSaid(error: Error): undefined {
	if (!(error instanceof NodeApiError)) throw error;
	return undefined;
}
