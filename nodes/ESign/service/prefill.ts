/** What a field of a template takes, in the words of n8n's form. */
export type PrefillKind = 'string' | 'number' | 'boolean' | 'dateTime';

/** docs/service.md section 4, Templates, rule 5: the types of field that accept a value. */
const KIND_OF: Record<string, PrefillKind | undefined> = {
	TEXT: 'string',
	TEXTAREA: 'string',
	NUMBER: 'number',
	PHONE: 'string',
	CHECKBOX: 'boolean',
	DROPDOWN: 'string',
	RADIO_GROUP: 'string',
	// Only a custom field of these two takes a value, which a template does not tell from a standard
	// one.
	DATE: 'dateTime',
	EMAIL: 'string',
};

/** What a field of this type takes; undefined if it takes no value at all. */
export function prefillKind(type: string): PrefillKind | undefined {
	return KIND_OF[type.toUpperCase()];
}
