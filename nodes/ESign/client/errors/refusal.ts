import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { explain } from '../../service/errors';
import { labelOf } from '../../service/names';
import type { CallSite } from '../call/call';
import { failure } from './failure';

/** The codes of a single object that is not found, or in the wrong state. */
const ABOUT_THE_ID =
	/^(document|template|template_link|webhook_endpoint|delivery)_not_\w+$|^no_recipients_to_remind$/;

/** Keys of this service and secrets of its webhooks, wherever they turn up. */
const SECRETS = '\\b(?:sk_(?:live|test)|whsec)_[\\w-]+';

/** Properties that hold a secret, whatever they say. */
const SECRET_NAMES = new Set(['signing_secret', 'pin']);

/** So many names a sentence lists. */
const MAX_LISTED = 10;

/** Paths below this one are named by the workspace, not by the service. */
const KEYED_BY_THE_USER = 'field_values';

/**
 * The error for a response that refused a call. Its `context` has the `code` without its appended
 * detail, `details` and `extra`.
 */
export function refusal(site: CallSite, status: number, body: unknown): NodeApiError {
	const { path = {}, body: sent } = site.request;
	const pins = pinsIn(sent);
	const { code, codeDetail, message: said, details, extra } = envelopeOf(redacted(body, pins));
	const [explanation, remedy] = explain(code, status, said);
	const headline = explanation.replace('{detail}', () => codeDetail || 'not named');
	const lines = details.map(({ field, message: wrong }) =>
		[fieldLabel(field), wrong].filter(Boolean).join(': '),
	);
	const { deliveryId, id, linkId } = path;
	const named = ABOUT_THE_ID.test(code) ? redacted(deliveryId ?? id ?? linkId, pins) : undefined;
	// The only bad value stands in the headline, and not once more below it.
	const only = lines.length > 1 ? undefined : (lines[0] ?? named);
	const message = only ? `${headline}: ${only}` : headline;
	const below = [
		...(lines.length > 1 ? lines : []),
		...Object.entries(extra).map(([name, value]) => `${labelOf(name)}: ${asText(value)}`),
		remedy,
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
	const { error, ...beside } = isObject(body) ? body : {};
	const envelope: IDataObject = isObject(error) ? { ...beside, ...error } : {};
	const { code: whole, message: said, details: given, ...extra } = envelope;
	const [code = '', ...rest] = typeof whole === 'string' ? whole.split(':') : [];
	const listed: unknown[] = Array.isArray(given) ? given : [];
	const details = listed.filter(isObject).map((detail) => ({
		field: String(detail.field ?? ''),
		message: String(detail.message ?? ''),
	}));
	const message = typeof said === 'string' ? said.trim() : '';
	return { code, codeDetail: rest.join(':'), message, details, extra };
}

/** Whether a value has named properties: a list has none, and neither have bytes. */
export function isObject(value: unknown): value is IDataObject {
	return (
		typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value)
	);
}

/**
 * The path of a bad value in the words of the forms: `recipients.0.email` becomes `Recipients,
 * entry 1: Email`.
 */
export function fieldLabel(path: string): string {
	// Both `fields.0.xNorm` and `fields[0].xNorm` or `/fields/0/xNorm` name the same value.
	const parts = path.split(/[./[\]]+/).filter((part) => part !== '');
	const words: string[] = [];
	parts.forEach((part, index) => {
		const last = words.length - 1;
		if (/^\d+$/.test(part) && last >= 0) words[last] = `${words[last]}, entry ${Number(part) + 1}`;
		else words.push(parts[index - 1] === KEYED_BY_THE_USER ? part : labelOf(part));
	});
	return words.join(': ');
}

export function listed(names: readonly string[]): string {
	const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : '';
	return `${names.slice(0, MAX_LISTED).join(', ')}${more}`;
}

function asText(value: unknown): string {
	if (Array.isArray(value)) return value.map(asText).join(', ');
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The access codes of recipients in a request body: a message of the service might quote them. */
export function pinsIn({ recipients }: IDataObject = {}): string[] {
	const people: unknown[] = Array.isArray(recipients) ? recipients : [];
	return people
		.filter(isObject)
		.map(({ pin }) => String(pin ?? ''))
		.filter((pin) => pin !== '');
}

/** Replaces keys, signing secrets and the given pins in every text of what came as JSON. */
export function redacted<T>(value: T, pins: string[]): T {
	const escaped = pins.map((pin) => pin.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	const given = escaped.map((pin) => `(?<!\\w)${pin}(?!\\w)`);
	const secrets = new RegExp([SECRETS, ...given].join('|'), 'g');
	const text = JSON.stringify(value ?? null);
	return JSON.parse(text, (name, part: unknown) => {
		if (SECRET_NAMES.has(name)) return '[hidden]';
		return typeof part === 'string' ? part.replace(secrets, '[hidden]') : part;
	}) as T;
}
