import { NodeApiError, NodeOperationError, type IDataObject, type JsonObject } from 'n8n-workflow';
import type { ApiContext } from '../run';
import { ruleOf, type Endpoint } from '../../service/endpoints';
import { explain } from '../../service/errors';
import { misfit, subjectOf, type Asked } from './subject';
import { fieldLabel } from './fieldLabels';
import { isObject } from '../isObject';
import { redacted } from './redaction';

/** Where a failure happened, and what must not appear in what is said about it. */
export type ErrorContext = {
	context: ApiContext;
	endpoint: Endpoint | 'download';
	itemIndex?: number;
	pins: string[];
	/** What was asked for: an error names the id, role or file of it that it is about. */
	request?: Asked;
};

/** The words of a failure that n8n shows: what happened, and what to do about it. */
export type ErrorWords = { message: string; description: string };

/** Keys of the envelope that hold something else than a figure or list the reader needs (docs/service.md section 7). */
const ENVELOPE = new Set(['code', 'message', 'details']);

const EXTRA_LABELS = new Map([
	['requiredPlan', 'Plan that is needed'],
	['known_roles', 'Roles of the template'],
	['missing_roles', 'Roles without a recipient'],
	['file_ids', 'Files in question'],
	['cap', 'Most that are allowed'],
]);

/**
 * The error for a response that refused a call. `httpCode`, and in `context` the `code` without its appended detail,
 * `details`, `extra` and the `itemIndex` are kept for whoever has to decide by them.
 */
export function refusal(site: ErrorContext, status: number, body: unknown): NodeApiError {
	const envelope = envelopeOf(redacted(body, site.pins));
	const { code, codeDetail, details, extra } = envelope;
	const explanation = explain(code, status, envelope.message);
	const headline = explanation.message.replace('{detail}', () => codeDetail || 'not named');
	const misfits = details.map(({ field }) => redacted(misfit(code, field, site.request), site.pins));
	const listed = details.map(({ field, message: said }, index) => misfits[index] ?? `${fieldLabel(field)}: ${said}`);
	const named = redacted(subjectOf(code, extra, site.request), site.pins);
	// The only bad value stands in the headline, and not once more below it.
	const [only = named, ...others] = listed;
	const alone = misfits[0] ?? `${headline}: ${only}`;
	const message = only === '' || others.length > 0 ? headline : alone;
	const facts = Object.entries(extra)
		.map(([name, value]) => ({ label: EXTRA_LABELS.get(name) ?? name, text: asText(value) }))
		.filter(({ text }) => text !== named);
	const lines = [
		...(others.length > 0 ? listed : []),
		...facts.map(({ label, text }) => `${label}: ${text}`),
		explanation.remedy,
		// The prose of the service may change, but may also say more than we do.
		message.includes(envelope.message) ? '' : `The service says: ${envelope.message}`,
	];
	const description = lines.filter((line) => line !== '').join('\n');
	return failure(site, status, { message, description }, { code, details, extra });
}

/** An error of the service or the way to it, built from words alone: nothing of the request hangs on it. */
export function failure(
	{ context, endpoint, itemIndex }: ErrorContext,
	status: number | undefined,
	words: ErrorWords,
	facts: { code?: string; details?: ErrorDetail[]; extra?: IDataObject } & IDataObject = {},
): NodeApiError {
	const { code = '', details = [], extra = {}, ...more } = facts;
	const clean: JsonObject = { message: words.message, ...(code !== '' && { code }) };
	const httpCode = status === undefined ? undefined : String(status);
	const error = new NodeApiError(context.getNode(), clean, { ...words, httpCode, itemIndex });
	// The constructor replaces texts in which it recognises the name of a system error, and takes a code for a status.
	error.message = words.message;
	error.description = words.description;
	error.httpCode = httpCode ?? null;
	Object.assign(error.context, { code, details, extra, endpoint, ...more });
	return error;
}

/** The end of a call that the user, or the execution's timeout, has cancelled. Says what is known of its effect. */
export function cancellation(
	{ context, endpoint, itemIndex }: ErrorContext,
	mayHaveHappened: boolean,
): NodeOperationError {
	const isRead = endpoint === 'download' || endpoint.startsWith('GET ');
	const action = endpoint === 'download' ? 'download the file' : ruleOf(endpoint).action;
	const inDoubt = mayHaveHappened && !isRead;
	const nothing = isRead ? 'Reading changes nothing at the service.' : 'Nothing has been sent.';
	const description = inDoubt ? 'It may or may not have been carried out: check before repeating it.' : nothing;
	const message = `The execution was cancelled ${inDoubt ? 'while trying to' : 'before it could'} ${action}`;
	const error = new NodeOperationError(context.getNode(), message, { itemIndex, description });
	Object.assign(error.context, { endpoint, cancelled: true, mayHaveHappened: inDoubt });
	return error;
}

export type ErrorDetail = { field: string; message: string };

type Envelope = { code: string; codeDetail: string; message: string; details: ErrorDetail[]; extra: IDataObject };

/** Reads the envelope of docs/service.md section 7; extra keys beside it are tolerated as well as within it. */
function envelopeOf(body: unknown): Envelope {
	const outer = isObject(body) ? body : {};
	const { error: inner, ...beside } = outer;
	const error = isObject(inner) ? inner : {};
	const [code = '', ...rest] = typeof error.code === 'string' ? error.code.split(':') : [];
	const listed: unknown[] = Array.isArray(error.details) ? error.details : [];
	const details = listed.filter(isObject).map(({ field, message }) => ({
		field: String(field ?? ''),
		message: String(message ?? ''),
	}));
	const extra = Object.entries(isObject(inner) ? { ...beside, ...error } : {}).filter(([name]) => !ENVELOPE.has(name));
	const message = typeof error.message === 'string' ? error.message.trim() : '';
	return { code, codeDetail: rest.join(':'), message, details, extra: Object.fromEntries(extra) };
}

function asText(value: unknown): string {
	if (Array.isArray(value)) return value.map(asText).join(', ');
	return typeof value === 'string' ? value : JSON.stringify(value);
}
