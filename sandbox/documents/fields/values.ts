import { initialsOf } from '../../state/initials';
import type { TemplateField } from '../../state/entities';
import type { FieldType } from '../../state/vocabulary';

type FieldKind = Pick<TemplateField, 'type' | 'customFieldId' | 'look'>;

/** Characters that a value may have (docs/service.md section 8). */
const MAX_CHARACTERS = 2000;

const DATA_ENTRY: ReadonlySet<FieldType> = new Set([
	'TEXT',
	'TEXTAREA',
	'NUMBER',
	'PHONE',
	'CHECKBOX',
	'DROPDOWN',
	'RADIO_GROUP',
]);
const DATA_ENTRY_WHEN_CUSTOM: ReadonlySet<FieldType> = new Set(['DATE', 'EMAIL']);

/**
 * Whether a value may be supplied for a field at all: data-entry fields, and the date and email
 * fields that carry a custom field id (docs/service.md section 4, rules 5 and 6 of template send).
 */
export function takesValue({ type, customFieldId }: FieldKind): boolean {
	return DATA_ENTRY.has(type) || (DATA_ENTRY_WHEN_CUSTOM.has(type) && customFieldId !== null);
}

function isDate(value: string): boolean {
	if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
	const date = new Date(`${value}T00:00:00.000Z`);
	return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

function isPhone(value: string): boolean {
	return /^\+?[0-9 ()./-]{3,32}$/.test(value) && /\d{3}/.test(value.replace(/\D/g, ''));
}

/**
 * Counted in place: taking a million characters apart, as the largest document has, holds everybody
 * else up.
 */
function charactersOf(text: string): number {
	let count = 0;
	for (let at = 0; at < text.length; count++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
	return count;
}

/**
 * Whether a text fits a field of this kind (rule 7): numbers, options, ticks `true`/`false`, ISO
 * dates.
 */
export function valueFits({ type, look }: FieldKind, value: string): boolean {
	switch (type) {
		case 'NUMBER':
			return /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(value.trim());
		case 'PHONE':
			return isPhone(value.trim());
		case 'CHECKBOX':
			return value === 'true' || value === 'false';
		case 'DROPDOWN':
		case 'RADIO_GROUP':
			return (look.dropdownOptions ?? []).includes(value);
		case 'DATE':
			return isDate(value);
		case 'EMAIL':
			return /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/.test(value);
		default:
			return charactersOf(value) <= MAX_CHARACTERS;
	}
}

/**
 * What to enter instead of a text that does not fit, in words for the person who fills the field.
 */
export function adviceFor({ type }: FieldKind): string {
	switch (type) {
		case 'NUMBER':
			return 'must be a number, such as 12 or 12.5';
		case 'PHONE':
			return 'must be a phone number, such as +1 555 0100';
		case 'CHECKBOX':
			return 'must be true or false';
		case 'DROPDOWN':
		case 'RADIO_GROUP':
			return 'must be one of the options';
		case 'DATE':
			return 'must be a date, such as 2026-11-21';
		case 'EMAIL':
			return 'must be an e-mail address, such as name@example.com';
		default:
			return `must have at most ${MAX_CHARACTERS} characters`;
	}
}

/**
 * A plausible value for a field that nobody filled in, so that a person can be played without
 * typing.
 */
export function plausibleValue(
	{ type, look }: FieldKind,
	person: { name: string; email: string },
	now: Date,
): string {
	switch (type) {
		case 'NUMBER':
			return '1';
		case 'PHONE':
			return '+1 555 0100';
		case 'CHECKBOX':
			return 'true';
		case 'DROPDOWN':
		case 'RADIO_GROUP':
			return look.dropdownOptions?.[0] ?? '';
		case 'DATE':
			return now.toISOString().slice(0, 10);
		case 'EMAIL':
			return person.email;
		case 'TITLE':
			return 'Director';
		case 'COMPANY':
			return 'Example Ltd';
		case 'TEXT':
		case 'TEXTAREA':
			return 'Filled in';
		default:
			return person.name;
	}
}

/** What a person who enters no text signs a field with; nothing where a text is asked for. */
export function signedAs({ type }: FieldKind, person: { name: string }): string {
	switch (type) {
		case 'SIGNATURE':
		case 'STAMP':
			return person.name;
		case 'INITIALS':
			return initialsOf(person.name) || person.name;
		default:
			return '';
	}
}
