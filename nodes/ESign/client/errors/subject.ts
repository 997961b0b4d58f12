import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../isObject';

/** What was asked for: the ids in the path, and the body. */
export type Asked = { path?: Record<string, string>; body?: IDataObject };

const MOST_NAMED = 3;

/** The codes of a single object that is not found, or in the wrong state. */
const ABOUT_THE_ID = /^(document|template|template_link|webhook_endpoint)_not_\w+$|^no_recipients_to_remind$/;

const FIELD_VALUE = /^field_values\.(.+)$/s;

/** Which value does not fit which field, and whose document it is. Undefined where the request has no such value. */
export function misfit(code: string, field: string, request: Asked | undefined): string | undefined {
	const key = FIELD_VALUE.exec(field)?.[1];
	const { field_values: values, recipients } = request?.body ?? {};
	const value = isObject(values) && key !== undefined ? values[key] : undefined;
	if (code !== 'invalid_prefill_value' || value === undefined) return undefined;
	const [person] = Array.isArray(recipients) ? (recipients as unknown[]) : [];
	const whose = isObject(person) ? ` (${String(person.role)}, ${String(person.email)})` : '';
	return `Field Values > ${key}: ${JSON.stringify(value)} does not fit its field${whose}`;
}

/**
 * What an error is about, in the words of whoever wrote the request: the id that is not found or in the wrong state, the
 * role that the template does not have. Empty where the service names it itself, or nothing can be named.
 */
export function subjectOf(code: string, extra: IDataObject, request: Asked | undefined): string {
	const { path = {}, body = {} } = request ?? {};
	const roles = rolesIn(body);
	const lower = roles.map((role) => role.toLowerCase());
	const known = textsIn(extra.known_roles).map((role) => role.toLowerCase());
	switch (code) {
		case 'unknown_role':
			return known.length > 0 ? inWords(roles.filter((role) => !known.includes(role.toLowerCase()))) : '';
		case 'duplicate_role':
			return inWords(roles.filter((role, index) => lower.indexOf(role.toLowerCase()) !== index));
		case 'missing_roles':
			return inWords(textsIn(extra.missing_roles));
		case 'unknown_file':
			return inWords(textsIn(extra.file_ids));
		case 'delivery_not_found':
			return path.deliveryId ?? '';
		default:
			return ABOUT_THE_ID.test(code) ? (path.id ?? path.linkId ?? '') : '';
	}
}

function rolesIn({ recipients }: IDataObject): string[] {
	const list: unknown[] = Array.isArray(recipients) ? recipients : [];
	return textsIn(list.map((recipient) => (isObject(recipient) ? recipient.role : undefined)));
}

function textsIn(list: unknown): string[] {
	return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string') : [];
}

function inWords(names: readonly string[]): string {
	const more = names.length - MOST_NAMED;
	const named = names.slice(0, MOST_NAMED).join(', ');
	return more > 0 ? `${named} and ${more} more` : named;
}
