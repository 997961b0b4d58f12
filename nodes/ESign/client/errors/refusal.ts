import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { explain } from '../../service/explain';
import { EXTRA_LABELS } from '../../service/names';
import { isObject } from '../isObject';
import { failure, type ErrorContext } from './failure';
import { fieldLabel } from './fieldLabels';
import { redacted } from './redaction';

type SentRequest = NonNullable<ErrorContext['request']>;

/**
 * Keys of the envelope that hold something else than a figure or list the reader needs
 * (docs/service.md section 7).
 */
const ENVELOPE = new Set(['code', 'message', 'details']);

/** The codes of a single object that is not found, or in the wrong state. */
const ABOUT_THE_ID =
	/^(document|template|template_link|webhook_endpoint)_not_\w+$|^no_recipients_to_remind$/;

const FIELD_VALUE = /^field_values\.(.+)$/s;

/**
 * The error for a response that refused a call. Its `context` has the `code` without its appended
 * detail, `details` and `extra`.
 */
export function refusal(site: ErrorContext, status: number, body: unknown): NodeApiError {
	const { request = {}, pins } = site;
	const { code, codeDetail, message: said, details, extra } = envelopeOf(redacted(body, pins));
	const explanation = explain(code, status, said);
	const headline = explanation.message.replace('{detail}', () => codeDetail || 'not named');
	const misfits = details.map(({ field }) => redacted(misfit(code, field, request), pins));
	const lines = details.map(
		({ field, message: wrong }, index) =>
			misfits[index] ?? [fieldLabel(field), wrong].filter(Boolean).join(': '),
	);
	const named = redacted(listed(subjectsOf(code, extra, request), 3), pins);
	// The only bad value stands in the headline, and not once more below it.
	const [only = named, ...others] = lines;
	const alone = misfits[0] ?? `${headline}: ${only}`;
	const message = only === '' || others.length > 0 ? headline : alone;
	const below = [
		...(others.length > 0 ? lines : []),
		...Object.entries(extra)
			.filter(([, value]) => asText(value) !== named)
			.map(([name, value]) => `${EXTRA_LABELS.get(name) ?? name}: ${asText(value)}`),
		explanation.remedy,
		// The prose of the service may change, but may also say more than we do.
		message.includes(said.replace(/\.$/, '')) ? '' : `The service says: ${said}`,
	];
	const description = below.filter((line) => line !== '').join('\n');
	return failure(site, status, { message, description }, { code, details, extra });
}

/**
 * Reads the envelope of docs/service.md section 7; extra keys beside it are tolerated as well as
 * within it.
 */
function envelopeOf(body: unknown) {
	const { error: inner, ...beside } = isObject(body) ? body : {};
	const error = isObject(inner) ? inner : {};
	const [code = '', ...rest] = typeof error.code === 'string' ? error.code.split(':') : [];
	const listed: unknown[] = Array.isArray(error.details) ? error.details : [];
	const details = listed.filter(isObject).map(({ field, message }) => ({
		field: String(field ?? ''),
		message: String(message ?? ''),
	}));
	const extra = Object.entries(isObject(inner) ? { ...beside, ...error } : {}).filter(
		([name]) => !ENVELOPE.has(name),
	);
	const message = typeof error.message === 'string' ? error.message.trim() : '';
	return { code, codeDetail: rest.join(':'), message, details, extra: Object.fromEntries(extra) };
}

/**
 * Which value does not fit which field, and whose document it is. Undefined where the request has
 * no such value.
 */
function misfit(code: string, field: string, { body = {} }: SentRequest): string | undefined {
	const key = FIELD_VALUE.exec(field)?.[1];
	const { field_values: values } = body;
	const value = isObject(values) && key !== undefined ? values[key] : undefined;
	if (code !== 'invalid_prefill_value' || value === undefined) return undefined;
	const [person] = recipientsIn(body);
	const whose = person ? `, in the document for ${String(person.email)}` : '';
	return `Field Values > ${key}: ${JSON.stringify(value)} does not fit its field${whose}`;
}

/**
 * What an error is about, in the words of the request: the id that is not found, the role that the
 * template does not have.
 */
function subjectsOf(
	code: string,
	extra: IDataObject,
	{ path = {}, body = {} }: SentRequest,
): string[] {
	const roles = textsIn(recipientsIn(body).map(({ role }) => role));
	const isSame = (role: string) => (other: string) => other.toLowerCase() === role.toLowerCase();
	switch (code) {
		case 'unknown_role': {
			const known = textsIn(extra.known_roles);
			return known.length > 0 ? roles.filter((role) => !known.some(isSame(role))) : [];
		}
		case 'duplicate_role':
			return roles.filter((role, index) => roles.findIndex(isSame(role)) !== index);
		case 'missing_roles':
			return textsIn(extra.missing_roles);
		case 'unknown_file':
			return textsIn(extra.file_ids);
		case 'delivery_not_found':
			return textsIn([path.deliveryId]);
		default:
			return ABOUT_THE_ID.test(code) ? textsIn([path.id ?? path.linkId, body.recipient_id]) : [];
	}
}

function recipientsIn({ recipients }: IDataObject): IDataObject[] {
	return Array.isArray(recipients) ? (recipients as unknown[]).filter(isObject) : [];
}

function textsIn(list: unknown): string[] {
	return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string') : [];
}

export function listed(names: readonly string[], most = 10): string {
	const more = names.length > most ? ` and ${names.length - most} more` : '';
	return `${names.slice(0, most).join(', ')}${more}`;
}

function asText(value: unknown): string {
	if (Array.isArray(value)) return value.map(asText).join(', ');
	return typeof value === 'string' ? value : JSON.stringify(value);
}
