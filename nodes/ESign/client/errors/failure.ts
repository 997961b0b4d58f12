import { NodeApiError, NodeOperationError, type IDataObject } from 'n8n-workflow';
import { ENDPOINTS, type EndpointRule } from '../../service/endpoints';
import type { CallSite } from '../call/call';

/**
 * An error of the service or the way to it, built from words alone: nothing of the request hangs on
 * it.
 */
export function failure(
	{ context, request: { itemIndex } }: CallSite,
	status: number | undefined,
	words: { message: string; description: string },
	{ code = '', details = [], extra = {}, ...more }: IDataObject = {},
): NodeApiError {
	const { message } = words;
	const httpCode = status === undefined ? undefined : String(status);
	const error = new NodeApiError(context.getNode(), { message }, { ...words, httpCode, itemIndex });
	// The constructor replaces texts in which it recognises the name of a system error.
	Object.assign(error, words);
	Object.assign(error.context, { code, details, extra, ...more });
	return error;
}

/** The rule of a call: what is not to be sent is a draft, which harms nobody. */
export function ruleOfCall({ endpoint, request }: CallSite): EndpointRule {
	return ENDPOINTS[request.body?.send === false ? 'POST /documents' : endpoint];
}

/** What a call does, as it follows "could not". */
export function actionOf({ endpoint }: CallSite): string {
	return ENDPOINTS[endpoint].action;
}

/**
 * What of a failed call decides how to continue: its HTTP status, undefined when no answer arrived,
 * and the API's code without the detail after a colon, empty when there is none.
 */
export function readCallFailure(error: unknown) {
	const { message = String(error), httpCode, context } = error as Partial<NodeApiError>;
	return { status: Number(httpCode) || undefined, code: String(context?.code ?? ''), message };
}

/**
 * Whether the service says that there is no such thing. A proxy before it may answer 404 to
 * everything for a while.
 */
export function isGone(error: unknown): boolean {
	const { status, code } = readCallFailure(error);
	return status === 404 && code.endsWith('_not_found');
}

/** Whether the call may have been carried out, though it has failed. */
export function leavesOpen(error: unknown): boolean {
	const isOurs = error instanceof NodeApiError || error instanceof NodeOperationError;
	return !isOurs || error.context.outcome === 'in doubt';
}

/**
 * The error that a catch block passes on. n8n's lint gate refuses `throw error` there: errors are
 * to be put into words.
 */
export function asThrown(error: unknown): Error {
	return error as Error;
}

type GivenUp = { tried?: string; remedy?: string; status?: number; code?: string };

/** What is known of the effect when a call is given up. */
export type Certainty = 'not sent' | 'in doubt';

/**
 * The error of a call that was given up: what happened, as it follows "Could not ...", and what is
 * known of its effect.
 */
function givenUp(
	site: CallSite,
	certainty: Certainty,
	what: string,
	{ tried, remedy, status, code }: GivenUp = {},
): NodeApiError {
	const description = [tried, effectOf(site, certainty), remedy].filter(Boolean).join(' ');
	const words = { message: `Could not ${actionOf(site)}${what}`, description };
	return failure(site, status, words, { code, outcome: certainty });
}

/** `fatal` if trying again cannot help. */
type Fault = { reason: string; status?: number; fatal?: boolean };

/** The service could not be brought to answer. */
export function exhausted(
	site: CallSite,
	certainty: Certainty,
	{ reason, status, fatal }: Fault,
	{ attempts, ms }: { attempts: number; ms: number },
): NodeApiError {
	const tries = attempts === 1 ? 'Tried once.' : `Tried ${attempts} times within ${duration(ms)}.`;
	return givenUp(site, certainty, `: ${reason}`, {
		tried: tries,
		remedy: fatal ? 'Trying again will not help until that is put right.' : 'Try again later.',
		status,
	});
}

/** The caller's time is over. */
export function outOfTime(site: CallSite, certainty: Certainty, reason: string): NodeApiError {
	return givenUp(site, certainty, ` in time: ${reason}`);
}

/**
 * Others spend the whole limit of the key, or its window is spent for longer than anybody waits.
 *
 * @param resetsInMs when there is room again, where that is known
 */
export function limitUsedUp(
	site: CallSite,
	certainty: Certainty,
	resetsInMs?: number,
): NodeApiError {
	const time = resetsInMs === undefined ? '' : ` in ${duration(resetsInMs)}`;
	const resets = time === '' ? '' : `, and resets${time}`;
	const what = `: the rate limit of this API key is used up${resets}`;
	const remedy = `Try again${time || ' later'}, or use a key with room left.`;
	return givenUp(site, certainty, what, { remedy, status: 429, code: 'request_failed' });
}

/**
 * A repetition was refused, or what shows what came of it cannot be read: it is unknown what
 * the attempt before it has done.
 */
export function stillInDoubt(site: CallSite, error: NodeApiError): NodeApiError {
	const earlier = `An attempt to ${actionOf(site)} was not answered. ${effectOf(site, 'in doubt')}`;
	error.description = [error.description, earlier].filter(Boolean).join('\n');
	error.context.outcome = 'in doubt';
	return error;
}

/** n8n calls an execution cancelled that was stopped or took too long. */
export const CANCELLED =
	'n8n offers no Retry for an execution that was stopped or took too long. Set Skip If Created Within (Hours), where the operation has it, publish the workflow, and execute it again.';

/** What to do with an item in doubt where the execution offers no Retry. */
export const SEND_UNCHANGED =
	'Set Skip If Created Within (Hours), where the operation has it, publish the workflow, and send this item unchanged in a new execution: the node looks for its title and recipients before it sends anything.';

/** The end of a call that the user, or the execution's timeout, has cancelled. */
export function cancellation(site: CallSite, mayHaveHappened: boolean): NodeOperationError {
	const { itemIndex } = site.request;
	const isRead = site.endpoint.startsWith('GET ');
	const inDoubt = mayHaveHappened && !isRead;
	const nothing = isRead ? 'Reading changes nothing at the service.' : 'Nothing has been sent.';
	const description = inDoubt ? `It may have been carried out. ${CANCELLED}` : nothing;
	const message = `The execution was cancelled ${inDoubt ? 'while trying to' : 'before it could'} ${actionOf(site)}`;
	const error = new NodeOperationError(site.context.getNode(), message, { itemIndex, description });
	if (inDoubt) error.context.outcome = 'in doubt';
	return error;
}

function effectOf(site: CallSite, certainty: Certainty): string {
	const { endpoint } = site;
	if (endpoint.startsWith('GET ')) return '';
	if (certainty === 'not sent') return 'Nothing has been carried out.';
	const { retry, spare } = ruleOfCall(site);
	if (spare !== undefined) return `It may have been created all the same: ${spare}.`;
	// What reaches a person is found out, or left in doubt, and never repeated.
	if (retry === 'never' || retry === 'untilState') {
		return `It may have been carried out. ${remedyOf(site)}`;
	}
	return 'It may have been carried out: check before repeating it.';
}

/** An execution that has continued after an error offers no Retry. */
function remedyOf({ context, endpoint }: CallSite): string {
	const continues = 'continueOnFail' in context && context.continueOnFail();
	if (!continues) return 'Retry the execution: nothing is sent twice.';
	return endpoint.endsWith('/send') ? SEND_UNCHANGED : 'Check before repeating it.';
}

function duration(milliseconds: number): string {
	const whole = Math.max(1, Math.ceil(milliseconds / 1000));
	if (whole < 120) return `${whole} s`;
	if (whole < 7200) return `${Math.round(whole / 60)} min`;
	// A wait that is longer is taken for a day (pacing/rateWindow.ts).
	return whole < 86_400 ? `${Math.round(whole / 3600)} h` : '24 h or more';
}
