// @ts-check
/* What the node accepts in a field; a test holds this against the node's own rules. */

/** The types and what people call them, in the order of the node's list. */
const FIELD_TYPES = new Map([
	['CHECKBOX', 'Checkbox'],
	['COMPANY', 'Company'],
	['DATE', 'Date'],
	['DROPDOWN', 'Dropdown'],
	['EMAIL', 'Email'],
	['INITIALS', 'Initials'],
	['NAME', 'Name'],
	['NUMBER', 'Number'],
	['PHONE', 'Phone'],
	['RADIO_GROUP', 'Radio Group'],
	['SIGNATURE', 'Signature'],
	['STAMP', 'Stamp'],
	['TEXT', 'Text'],
	['TEXTAREA', 'Text Area'],
	['TITLE', 'Title'],
]);

/** @type {Record<string, FieldRule>} */
const OPTION_RULES = {
	id: { label: 'ID', type: 'string' },
	required: { label: 'Required', type: 'boolean' },
	placeholderText: { label: 'Placeholder Text', type: 'string', max: 120 },
	helpText: { label: 'Help Text', type: 'string', max: 500 },
	dropdownOptions: { label: 'Options to Choose From', type: 'strings', max: 80, items: 40 },
	dateFormat: { label: 'Date Format', type: 'string', max: 20 },
	radioLayout: { label: 'Radio Layout', type: 'choice', choices: ['STACKED', 'INLINE'] },
	value: { label: 'Value', type: 'string', max: 2000 },
	fontFamily: { label: 'Font Family', type: 'choice', choices: ['HELVETICA', 'TIMES', 'COURIER'] },
	fontBold: { label: 'Font Bold', type: 'boolean' },
	fontItalic: { label: 'Font Italic', type: 'boolean' },
	fontSize: { label: 'Font Size', type: 'integer', min: 6, max: 48 },
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
		max: 63,
		pattern: /^[a-z][a-z0-9_]{0,62}$/,
		form: 'a key: a lowercase letter, then lowercase letters, digits and underscores',
	},
	customFieldId: { label: 'Custom Field ID', type: 'string' },
	fillMode: { label: 'Fill Mode', type: 'choice', choices: ['SIGNER_FILLED', 'PREFILLED'] },
};

/** @type {Record<string, FieldRule>} */
const WHAT_RULES = {
	recipient: { label: 'Recipient', type: 'string', max: 190 },
	type: { label: 'Type', type: 'choice', choices: [...FIELD_TYPES.keys()], required: true },
};

/** @type {Record<string, FieldRule>} */
const FIELD_RULES = {
	...WHAT_RULES,
	pageNumber: { label: 'Page', type: 'integer', min: 1, required: true },
	xNorm: { label: 'Left', type: 'number', min: 0, max: 1, required: true },
	yNorm: { label: 'Top', type: 'number', min: 0, max: 1, required: true },
	widthNorm: { label: 'Width', type: 'number', min: 0, max: 1, required: true },
	heightNorm: { label: 'Height', type: 'number', min: 0, max: 1, required: true },
	...OPTION_RULES,
};

/** Where a text of the document says where a field is. @type {Record<string, FieldRule>} */
const ANCHOR_RULES = {
	text: { label: 'Text', type: 'string', max: 200, required: true },
	side: { label: 'Side', type: 'choice', choices: ['on', 'right', 'below', 'above'] },
	occurrence: {
		label: 'Occurrence',
		type: 'choice',
		choices: ['only', 'first', 'last', 'every'],
	},
	xOffsetNorm: { label: 'Move Right', type: 'number', min: -1, max: 1 },
	yOffsetNorm: { label: 'Move Down', type: 'number', min: -1, max: 1 },
	widthNorm: { label: 'Width', type: 'number', min: 0, max: 1 },
	heightNorm: { label: 'Height', type: 'number', min: 0, max: 1 },
};

/** @type {Record<string, FieldRule>} */
const AT_TEXT_RULES = { ...WHAT_RULES, ...ANCHOR_RULES, ...OPTION_RULES };

const MAX_FIELDS = 500;
const MAX_RECIPIENTS = 10;

/** A new box of each type, in points: what a hand or the text needs. */
const DEFAULT_SIZE = { width: 150, height: 24 };
/** @type {Record<string, Size>} */
const DEFAULT_SIZES = {
	SIGNATURE: { width: 180, height: 48 },
	STAMP: { width: 120, height: 72 },
	INITIALS: { width: 60, height: 32 },
	CHECKBOX: { width: 16, height: 16 },
	DATE: { width: 100, height: 24 },
	NUMBER: { width: 100, height: 24 },
	TEXTAREA: { width: 240, height: 72 },
	RADIO_GROUP: { width: 150, height: 60 },
};

/** @param {string} type */
const typeName = (type) => FIELD_TYPES.get(type) ?? type;
