/** What a field of a template takes, in the words of n8n's form. */
export type PrefillKind = 'string' | 'number' | 'boolean' | 'dateTime';

/** docs/service.md section 4, Templates, rule 5: the types of field that accept a value. */
const KIND_OF: Record<string, PrefillKind> = {
	TEXT: 'string',
	TEXTAREA: 'string',
	NUMBER: 'number',
	PHONE: 'string',
	CHECKBOX: 'boolean',
	DROPDOWN: 'string',
	RADIO_GROUP: 'string',
	DATE: 'dateTime',
	EMAIL: 'string',
};

/** A template does not tell a custom date or email field, which takes a value, from a standard one, which refuses it. */
const CUSTOM_ONLY = ['DATE', 'EMAIL'];

/** What a field of this type takes; undefined if it takes no value at all. */
export function prefillKind(type: string): PrefillKind | undefined {
	const name = type.toUpperCase();
	return Object.hasOwn(KIND_OF, name) ? KIND_OF[name] : undefined;
}

/** Whether only a custom field of this type takes a value. */
export function onlyIfCustom(type: string): boolean {
	return CUSTOM_ONLY.includes(type.toUpperCase());
}
