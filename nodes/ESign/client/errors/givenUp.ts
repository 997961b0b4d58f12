import { NodeOperationError, type NodeApiError } from 'n8n-workflow';
import { ruleOf } from '../../service/endpoints';
import { actionOf, failure, readCallFailure, type ErrorContext } from './failure';
import { redacted } from './redaction';
import { refusal } from './refusal';

/** What is known of the effect when a call is given up. */
export type Certainty = 'not sent' | 'in doubt';

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

/** Nobody knows in which state a document is that a call was to send or cancel. */
export function stateUnknown(site: ErrorContext, id: string, cause: unknown): NodeApiError {
	const message = `The answer to "${actionOf(site)}" was lost: what it did to ${id} is not known`;
	const why = cause instanceof Error ? `${redacted(cause.message, site.pins)}\n` : '';
	const description = why + effectOf(site, 'in doubt');
	const { status, code = '' } = readCallFailure(cause);
	return failure(site, status, { message, description }, { code, outcome: 'in doubt' });
}

/** n8n calls an execution cancelled that was stopped or took too long. */
export const CANCELLED =
	'n8n offers no Retry for an execution that was stopped or took too long. Set Skip If Created Within (Hours), where the operation has it, and execute the workflow again.';

/** The end of a call that the user, or the execution's timeout, has cancelled. */
export function cancellation(site: ErrorContext, mayHaveHappened: boolean): NodeOperationError {
	const { context, endpoint, itemIndex } = site;
	const isRead = endpoint.startsWith('GET ');
	const inDoubt = mayHaveHappened && !isRead;
	const nothing = isRead ? 'Reading changes nothing at the service.' : 'Nothing has been sent.';
	const description = inDoubt ? `It may have been carried out. ${CANCELLED}` : nothing;
	const message = `The execution was cancelled ${inDoubt ? 'while trying to' : 'before it could'} ${actionOf(site)}`;
	const error = new NodeOperationError(context.getNode(), message, { itemIndex, description });
	Object.assign(error.context, { endpoint, cancelled: true, mayHaveHappened: inDoubt });
	return error;
}

function effectOf(site: ErrorContext, certainty: Certainty): string {
	const { endpoint, request } = site;
	if (endpoint.startsWith('GET ')) return '';
	if (certainty === 'not sent') return 'Nothing has been carried out.';
	const { retry, spare } = ruleOf(endpoint);
	const isDraft = request?.body?.send === false;
	const left = isDraft ? ruleOf('POST /documents').spare : spare;
	if (left !== undefined) return `It may have been created all the same: ${left}.`;
	if (endpoint === 'POST /documents/{id}/remind') {
		return 'The reminder may have been sent. It is not repeated, because a person could get it twice.';
	}
	if (endpoint === 'POST /templates/{id}/send') {
		return 'It may have been sent. Retry the execution: the node looks for it before it sends anything.';
	}
	if (retry === 'untilState') {
		return 'It may have been carried out. Retry the execution: the node finds out.';
	}
	return 'It may have been carried out: check before repeating it.';
}

function duration(milliseconds: number): string {
	const whole = Math.max(1, Math.ceil(milliseconds / 1000));
	if (whole < 120) return `${whole} s`;
	if (whole < 7200) return `${Math.round(whole / 60)} min`;
	// A wait that is longer is taken for a day (pacing/rateHeaders.ts).
	return whole < 86_400 ? `${Math.round(whole / 3600)} h` : '24 h or more';
}
