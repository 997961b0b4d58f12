import { NodeOperationError, type NodeApiError } from 'n8n-workflow';
import { ruleOf } from '../../service/endpoints';
import type { ApiContext } from '../run';
import { actionOf, failure, type ErrorContext } from './failure';
import { redacted } from './redaction';
import { listed, refusal } from './refusal';

/** What is known of the effect when a call is given up. */
export type Certainty = 'not sent' | 'in doubt' | 'looked for';

/**
 * The error of a call that was given up: what happened, as it follows "Could not ...", and what is
 * known of its effect.
 */
function givenUp(
	site: ErrorContext,
	certainty: Certainty,
	what: string,
	{
		tried,
		remedy,
		status,
		code,
	}: { tried?: string; remedy?: string; status?: number; code?: unknown } = {},
): NodeApiError {
	const description = [tried, effectOf(site, certainty), remedy].filter(Boolean).join(' ');
	const words = { message: `Could not ${actionOf(site)}${what}`, description };
	return failure(site, status, words, { code: String(code ?? ''), outcome: certainty });
}

/** `fatal` if trying again cannot help. */
type Fault = { reason: string; status?: number; body?: unknown; fatal?: boolean };

/** The service could not be brought to answer. */
export function exhausted(
	site: ErrorContext,
	certainty: Certainty,
	{ reason, status, body, fatal }: Fault,
	{ attempts, ms }: { attempts: number; ms: number },
): NodeApiError {
	const tries = attempts === 1 ? 'Tried once.' : `Tried ${attempts} times within ${duration(ms)}.`;
	return givenUp(site, certainty, `: ${reason}`, {
		tried: attempts > 0 ? tries : '',
		remedy: fatal ? 'Trying again will not help until that is put right.' : 'Try again later.',
		status,
		code: refusal(site, status ?? 0, body).context.code,
	});
}

/** The caller has no more time to give. */
export function outOfTime(site: ErrorContext, certainty: Certainty, reason: string): NodeApiError {
	return givenUp(site, certainty, ` in time: ${reason}`);
}

/**
 * Others spend the whole limit of the key, or its window is spent for longer than anybody waits.
 */
export function limitUsedUp(
	site: ErrorContext,
	certainty: Certainty,
	{
		waitedMs,
		resetsInMs,
		refused,
	}: { waitedMs: number; resetsInMs?: number; refused?: NodeApiError },
): NodeApiError {
	const resets = resetsInMs === undefined ? '' : `, and resets in ${duration(resetsInMs)}`;
	const again =
		resetsInMs === undefined
			? ''
			: `Try again in ${duration(resetsInMs)}, or use a key with room left.`;
	return givenUp(site, certainty, `: the rate limit of this API key is used up${resets}`, {
		tried: waitedMs >= 1000 ? `Gave up after waiting ${duration(waitedMs)}.` : '',
		remedy: refused?.description ?? again,
		status: 429,
		code: refused?.context.code ?? 'request_failed',
	});
}

/** A repetition was refused, and nobody knows what the attempt before it has done. */
export function stillInDoubt(site: ErrorContext, refused: NodeApiError): NodeApiError {
	const earlier = `An attempt before this refusal was not answered. ${effectOf(site, 'in doubt')}`;
	refused.description = [refused.description, earlier].filter(Boolean).join(' ');
	Object.assign(refused.context, { outcome: 'in doubt' });
	return refused;
}

/** A look for the effect of a lost answer that could not tell. */
export function inDoubtForGood(
	site: ErrorContext,
	words: string,
	cause?: NodeApiError,
): NodeApiError {
	const isCreated = ruleOf(site.endpoint).retry === 'lookFirst';
	const remedy = isCreated
		? 'Check in the web application of the service. Retry the execution to have the node look for it again: it sends nothing while that is not known.'
		: effectOf(site, 'in doubt');
	const message = `The answer to "${actionOf(site)}" was lost: ${words}`;
	const description = cause ? `${redacted(cause.message, site.pins)}\n${remedy}` : remedy;
	const facts = { code: String(cause?.context.code ?? ''), outcome: 'in doubt' };
	return failure(
		site,
		cause?.httpCode ? Number(cause.httpCode) : undefined,
		{ message, description },
		facts,
	);
}

/** Several fit, or one of which it is not clear which request has created it. */
export function tooMany(found: ReadonlyArray<{ id: string }>, thing: string): string {
	const ids = listed(found.map(({ id }) => id));
	if (found.length > 1)
		return `${found.length} ${thing}s fit and it is not clear which of them is the one: ${ids}`;
	return `the ${thing} ${ids} fits, but which of the unanswered requests created it is not clear`;
}

/** One fits, or several do, that may be older than the request. */
export function perhaps(possible: ReadonlyArray<{ id: string }>, thing: string): string {
	return `whether it created the ${thing} ${listed(possible.map(({ id }) => id))} or that was there before is not clear, because the clocks of n8n, of the service and of a proxy between them disagree`;
}

/** The error of an item that was changed, while what it asked for before is out. */
export function alreadySent(
	context: ApiContext,
	id: string,
	itemIndex?: number,
): NodeOperationError {
	return new NodeOperationError(
		context.getNode(),
		`The document ${id} was already sent by an earlier try`,
		{
			itemIndex,
			description: `The answer to that request was lost, and the item has been changed since. Nothing was sent for the item as it is now. Cancel ${id} and retry the execution.`,
		},
	);
}

/** The end of a call that the user, or the execution's timeout, has cancelled. */
export function cancellation(site: ErrorContext, mayHaveHappened: boolean): NodeOperationError {
	const { context, endpoint, itemIndex } = site;
	const isRead = endpoint.startsWith('GET ');
	const inDoubt = mayHaveHappened && !isRead;
	const nothing = isRead ? 'Reading changes nothing at the service.' : 'Nothing has been sent.';
	const description = inDoubt ? effectOf(site, 'in doubt') : nothing;
	const message = `The execution was cancelled ${inDoubt ? 'while trying to' : 'before it could'} ${actionOf(site)}`;
	const error = new NodeOperationError(context.getNode(), message, { itemIndex, description });
	Object.assign(error.context, { endpoint, cancelled: true, mayHaveHappened: inDoubt });
	return error;
}

function effectOf({ endpoint, request }: ErrorContext, certainty: Certainty): string {
	if (endpoint.startsWith('GET ')) return '';
	if (certainty === 'not sent') return 'Nothing has been carried out.';
	if (certainty === 'looked for')
		return 'The service was searched after the last try: nothing has been created.';
	const { retry } = ruleOf(endpoint);
	if (retry === 'never')
		return 'The reminder may or may not have gone out. It is not repeated, because a person could get it twice. A new execution sends it again after ten minutes.';
	if (endpoint === 'POST /documents' || request?.body?.send === false)
		return 'A draft may have been made. It is never sent, and another try makes its own.';
	const remedy =
		retry === 'againThenRead'
			? '. Retry the execution: the node finds out.'
			: ': check before repeating it.';
	return `It may or may not have been carried out${remedy}`;
}

function duration(milliseconds: number): string {
	const whole = Math.max(1, Math.ceil(milliseconds / 1000));
	if (whole < 120) return `${whole} s`;
	if (whole < 7200) return `${Math.round(whole / 60)} min`;
	// A wait that is longer is taken for a day (pacing/rateHeaders.ts).
	return whole < 86_400 ? `${Math.round(whole / 3600)} h` : '24 h or more';
}
