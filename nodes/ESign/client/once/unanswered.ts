import type { NodeApiError } from 'n8n-workflow';
import { ruleOf } from '../../service/endpoints';
import { failure, refusal, type ErrorContext } from '../errors/failure';
import type { Unanswered } from '../call/outcome';
import { redacted } from '../errors/redaction';

/** What is known of the effect when a call is given up. */
export type Certainty = 'not sent' | 'in doubt' | 'looked for';

/** Why a call is given up, and what whoever reads it is told. */
type GivenUp = {
	/** What happened, as it follows "Could not ...". */
	headline: string;
	certainty: Certainty;
	/** What was tried, before what is known of the effect. */
	tried?: string;
	/** What to do, after it. */
	remedy?: string;
	status?: number;
	/** The code of the service. */
	code?: unknown;
};

/** The error of a call that was given up. Says what is known of its effect, no more and no less. */
function unanswered(site: ErrorContext, { headline, certainty, tried, remedy, status, code }: GivenUp): NodeApiError {
	const lines = [tried, effectOf(site, certainty), remedy].filter((line) => line !== undefined && line !== '');
	const words = { message: `Could not ${actionOf(site)}${headline}`, description: lines.join(' ') };
	return failure(site, status, words, { code: textOf(code), outcome: certainty });
}

/** The service could not be brought to answer. */
export function exhausted(
	site: ErrorContext,
	outcome: Unanswered,
	spent: { attempts: number; ms: number },
	certainty: Certainty,
): NodeApiError {
	const status = outcome.kind === 'unknown' ? outcome.status : undefined;
	const body = outcome.kind === 'unknown' ? outcome.body : undefined;
	const isFatal = outcome.kind === 'notSent' && outcome.fatal;
	const tries = spent.attempts === 1 ? 'Tried once.' : `Tried ${spent.attempts} times within ${duration(spent.ms)}.`;
	return unanswered(site, {
		headline: `: ${outcome.reason}`,
		certainty,
		tried: spent.attempts > 0 ? tries : '',
		remedy: isFatal ? 'Trying again will not help until that is put right.' : 'Try again later.',
		status,
		code: body === undefined ? '' : refusal(site, status ?? 0, body).context.code,
	});
}

/** The caller has no more time to give. */
export function outOfTime(site: ErrorContext, reason: string, inDoubt: boolean): NodeApiError {
	return unanswered(site, { headline: ` in time: ${reason}`, certainty: inDoubt ? 'in doubt' : 'not sent' });
}

/** Others spend the whole limit of the key, or its window is spent for longer than anybody waits. */
export function limitUsedUp(
	site: ErrorContext,
	{ waitedMs, resetsInMs }: { waitedMs: number; resetsInMs?: number },
	inDoubt: boolean,
	refused?: NodeApiError,
): NodeApiError {
	const resets = resetsInMs === undefined ? '' : `, and resets in ${duration(resetsInMs)}`;
	const again = resetsInMs === undefined ? '' : `Try again in ${duration(resetsInMs)}, or use a key with room left.`;
	return unanswered(site, {
		headline: `: the rate limit of this API key is used up${resets}`,
		certainty: inDoubt ? 'in doubt' : 'not sent',
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
export function inDoubtForGood(site: ErrorContext, words: string, cause: NodeApiError | undefined): NodeApiError {
	const isCreated = site.endpoint !== 'download' && ruleOf(site.endpoint).retry === 'lookFirst';
	const remedy = isCreated
		? 'Check in the web application of the service. Retry the execution to have the node look for it again: it sends nothing while that is not known.'
		: effectOf(site, 'in doubt');
	return failure(
		site,
		cause?.httpCode ? Number(cause.httpCode) : undefined,
		{
			message: `The answer to "${actionOf(site)}" was lost: ${words}`,
			description: cause ? `${redacted(cause.message, site.pins)}\n${remedy}` : remedy,
		},
		{ code: textOf(cause?.context.code), outcome: 'in doubt' },
	);
}

function effectOf({ endpoint, request }: ErrorContext, certainty: Certainty): string {
	if (endpoint === 'download' || endpoint.startsWith('GET ')) return '';
	if (certainty === 'not sent') return 'Nothing has been carried out.';
	if (certainty === 'looked for') return 'The service was searched after the last try: nothing has been created.';
	if (ruleOf(endpoint).retry === 'never')
		return 'The reminder may or may not have gone out. It is not repeated, because a person could get it twice. A new execution sends it again after ten minutes.';
	if (endpoint === 'POST /documents' || request?.body?.send === false)
		return 'A draft may have been made. It is never sent, and another try makes its own.';
	return 'It may or may not have been carried out: check before repeating it.';
}

function actionOf({ endpoint }: ErrorContext): string {
	return endpoint === 'download' ? 'download the file' : ruleOf(endpoint).action;
}

function textOf(code: unknown): string {
	return typeof code === 'string' ? code : '';
}

function duration(milliseconds: number): string {
	const whole = Math.max(1, Math.ceil(milliseconds / 1000));
	if (whole < 120) return `${whole} s`;
	if (whole < 7200) return `${Math.round(whole / 60)} min`;
	// A wait that is longer is taken for a day (pacing/rateHeaders.ts).
	return whole < 86_400 ? `${Math.round(whole / 3600)} h` : '24 h or more';
}
