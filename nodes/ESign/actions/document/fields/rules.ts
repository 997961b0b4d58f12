import { FONT_SIZE, LENGTH, MOST_CHOICES } from '../../../service/limits';
import type { PropertyRules } from '../../../parameters/checks/rules';

/** docs/service.md section 2, Field: the types in the order of the dropdown. */
export const FIELD_TYPES = [
	{ name: 'Checkbox', value: 'CHECKBOX' },
	{ name: 'Company', value: 'COMPANY' },
	{ name: 'Date', value: 'DATE' },
	{ name: 'Dropdown', value: 'DROPDOWN' },
	{ name: 'Email', value: 'EMAIL' },
	{ name: 'Initials', value: 'INITIALS' },
	{ name: 'Name', value: 'NAME' },
	{ name: 'Number', value: 'NUMBER' },
	{ name: 'Phone', value: 'PHONE' },
	{ name: 'Radio Group', value: 'RADIO_GROUP' },
	{ name: 'Signature', value: 'SIGNATURE' },
	{ name: 'Stamp', value: 'STAMP' },
	{ name: 'Text', value: 'TEXT' },
	{ name: 'Text Area', value: 'TEXTAREA' },
	{ name: 'Title', value: 'TITLE' },
] as const;

/** What a field may have beside its place, as the service takes it. */
export const FIELD_OPTION_RULES: PropertyRules = {
	id: { label: 'ID', type: 'id' },
	required: { label: 'Required', type: 'boolean' },
	placeholderText: { label: 'Placeholder Text', type: 'string', max: LENGTH.placeholderText, mayBeNothing: true },
	helpText: { label: 'Help Text', type: 'string', max: LENGTH.helpText, mayBeNothing: true },
	dropdownOptions: { label: 'Options to Choose From', type: 'strings', max: LENGTH.choice, items: MOST_CHOICES },
	dateFormat: { label: 'Date Format', type: 'string', max: LENGTH.dateFormat },
	radioLayout: { label: 'Radio Layout', type: 'choice', choices: ['STACKED', 'INLINE'] },
	value: { label: 'Value', type: 'string', max: LENGTH.fieldValue, mayBeNothing: true },
	fontFamily: { label: 'Font Family', type: 'choice', choices: ['HELVETICA', 'TIMES', 'COURIER'] },
	fontBold: { label: 'Font Bold', type: 'boolean' },
	fontItalic: { label: 'Font Italic', type: 'boolean' },
	fontSize: { label: 'Font Size', type: 'integer', ...FONT_SIZE },
	fontColor: {
		label: 'Font Color',
		type: 'string',
		max: 7,
		pattern: /^#[0-9a-f]{6}$/i,
		form: 'a colour of the form #RRGGBB, such as #1A2B3C',
	},
	fieldKey: {
		label: 'Field Key',
		type: 'string',
		max: LENGTH.fieldKey,
		pattern: /^[a-z][a-z0-9_]{0,62}$/,
		form: 'a key: a lowercase letter, then lowercase letters, digits and underscores',
	},
	customFieldId: { label: 'Custom Field ID', type: 'id' },
	fillMode: { label: 'Fill Mode', type: 'choice', choices: ['SIGNER_FILLED', 'PREFILLED'] },
};

/** A field as the form or JSON gives it; `recipient` takes the place of the service's `recipientId`. */
export const FIELD_RULES: PropertyRules = {
	recipient: { label: 'Recipient', type: 'string', max: LENGTH.email },
	type: { label: 'Type', type: 'choice', choices: FIELD_TYPES.map(({ value }) => value), required: true },
	pageNumber: { label: 'Page', type: 'integer', min: 1, required: true },
	xNorm: { label: 'Left', type: 'number', min: 0, max: 1, required: true },
	yNorm: { label: 'Top', type: 'number', min: 0, max: 1, required: true },
	widthNorm: { label: 'Width', type: 'number', min: 0, max: 1, required: true },
	heightNorm: { label: 'Height', type: 'number', min: 0, max: 1, required: true },
	...FIELD_OPTION_RULES,
};
