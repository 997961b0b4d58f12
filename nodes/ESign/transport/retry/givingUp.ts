import type { NodeApiError } from 'n8n-workflow';
import { ruleOf } from '../../service/endpoints';
import { failure, refusal, type FailureSite } from '../errors/failure';
import type { Unanswered } from '../http/outcome';
import { redacted } from '../errors/redaction';

/** What is known of the effect when a call is given up. */
type Certainty = 'not sent' | 'in doubt' | 'looked for';

/** The service could not be brought to answer. Says what is known of the effect, no more and no less. */
export function exhausted(
	site: FailureSite,
	outcome: Unanswered,
	spent: { attempts: number; ms: number },
	certainty: Certainty,
): NodeApiError {
	const status = outcome.kind === 'unknown' ? outcome.status : undefined;
	const said =
		outcome.kind === 'unknown' && outcome.body !== undefined ? refusal(site, status ?? 0, outcome.body) : undefined;
	const tries = spent.attempts === 1 ? 'Tried once.' : `Tried ${spent.attempts} times within ${duration(spent.ms)}.`;
	const isFatal = outcome.kind === 'notSent' && outcome.fatal;
	const remedy = isFatal ? 'Trying again will not help until that is put right.' : 'Try again later.';
	return failure(
		site,
		status,
		{
			message: `Could not ${actionOf(site)}: ${outcome.reason}`,
			description: [spent.attempts > 0 ? tries : '', effectOf(site, certainty), remedy]
				.filter((line) => line !== '')
				.join(' '),
		},
		{ code: textOf(said?.context.code), outcome: certainty },
	);
}

function effectOf(site: FailureSite, certainty: Certainty): string {
	if (site.endpoint === 'download' || site.endpoint.startsWith('GET ')) return '';
	if (certainty === 'not sent') return 'Nothing has been carried out.';
	if (certainty === 'looked for') return 'The service was searched after the last try: nothing has been created.';
	if (ruleOf(site.endpoint).retry === 'never') {
		return 'The reminder may or may not have gone out; it is not repeated, because a person could get it twice.';
	}
	return 'It may or may not have been carried out: check before repeating it.';
}

/** A repetition was refused, and nobody knows what the attempt before it has done. */
export function stillInDoubt(site: FailureSite, refused: NodeApiError): NodeApiError {
	const earlier = `An attempt before this refusal was not answered. ${effectOf(site, 'in doubt')}`;
	refused.description = [refused.description, earlier].filter(Boolean).join(' ');
	Object.assign(refused.context, { outcome: 'in doubt' });
	return refused;
}

/** The caller has no more time to give. */
export function outOfTime(site: FailureSite, reason: string, inDoubt: boolean): NodeApiError {
	const certainty = inDoubt ? 'in doubt' : 'not sent';
	return failure(
		site,
		undefined,
		{
			message: `Could not ${actionOf(site)} in time: ${reason}`,
			description: effectOf(site, certainty),
		},
		{ outcome: certainty },
	);
}

/** Others spend the whole limit of the key. */
export function gaveUpOnRateLimit(
	site: FailureSite,
	outcome: { status: number; body: unknown },
	waitedMs: number,
	inDoubt: boolean,
): NodeApiError {
	const { description, context } = refusal(site, outcome.status, outcome.body);
	return failure(
		site,
		outcome.status,
		{
			message: `Could not ${actionOf(site)}: the rate limit of this API key is used up`,
			description: [
				`Gave up after waiting ${duration(waitedMs)}.`,
				effectOf(site, inDoubt ? 'in doubt' : 'not sent'),
				description ?? '',
			].join(' '),
		},
		{ code: textOf(context.code), outcome: inDoubt ? 'in doubt' : 'not sent' },
	);
}

/** The window is spent for longer than anybody waits. */
export function resetsTooLate(site: FailureSite, waitMs: number, inDoubt: boolean): NodeApiError {
	const certainty = inDoubt ? 'in doubt' : 'not sent';
	return failure(
		site,
		429,
		{
			message: `Could not ${actionOf(site)}: the rate limit of this API key is used up, and resets in ${duration(waitMs)}`,
			description: `${effectOf(site, certainty)} Try again in ${duration(waitMs)}, or use a key with room left.`.trim(),
		},
		{ code: 'request_failed', outcome: certainty },
	);
}

/** A look for the effect of a lost answer that could not tell. */
export function inDoubtForGood(site: FailureSite, words: string, cause: NodeApiError | undefined): NodeApiError {
	const remedy =
		site.endpoint !== 'download' && ruleOf(site.endpoint).retry === 'lookFirst'
			? 'Look at the service before repeating this: repeating could do it twice.'
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

function actionOf({ endpoint }: FailureSite): string {
	return endpoint === 'download' ? 'download the file' : ruleOf(endpoint).action;
}

function textOf(code: unknown): string {
	return typeof code === 'string' ? code : '';
}

function duration(milliseconds: number): string {
	const whole = Math.max(1, Math.ceil(milliseconds / 1000));
	if (whole < 120) return `${whole} s`;
	if (whole < 7200) return `${Math.round(whole / 60)} min`;
	// A wait that is longer is taken for a day (http/rateHeaders.ts).
	return whole < 86_400 ? `${Math.round(whole / 3600)} h` : '24 h or more';
}
