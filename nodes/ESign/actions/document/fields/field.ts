import {
	choice,
	id,
	integer,
	listOfRows,
	number,
	text,
	texts,
	toggle,
	type Value,
} from '../../../operation/parameters';
import { FONT_SIZE, MAX_LENGTH, MAX_CHOICES } from '../../../service/limits';

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

const coordinate = (displayName: string, name: string, preset: number, description: string) =>
	number(name, displayName, {
		min: 0,
		max: 1,
		mandatory: true,
		typeOptions: { minValue: 0, maxValue: 1 },
		default: preset,
		hint: `Fraction of the page ${/Left|Width/.test(displayName) ? 'width' : 'height'}, from 0 to 1`,
		description,
	});

/**
 * Who fills a field and where it is. `recipient` takes the place of the service's `recipientId`.
 */
const place: readonly Value[] = [
	text('recipient', 'Recipient Name or ID', {
		type: 'options',
		max: MAX_LENGTH.email,
		typeOptions: { loadOptionsMethod: 'getFieldRecipients' },
		description:
			'Who fills the field. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	}),
	choice('type', 'Type', {
		options: FIELD_TYPES,
		mandatory: true,
		default: 'SIGNATURE',
		description:
			'What the field asks for. Every signer needs a Signature before the document can be sent.',
	}),
	integer('pageNumber', 'Page', {
		min: 1,
		mandatory: true,
		default: 1,
		description: 'The page that the field is on, counted from 1 through all files',
	}),
	coordinate(
		'Left',
		'xNorm',
		0.1,
		'Left edge as a fraction of the page width: 0 is its left edge, 1 its right',
	),
	coordinate(
		'Top',
		'yNorm',
		0.8,
		'Top edge as a fraction of the page height: 0 is its top, 1 its bottom',
	),
	coordinate(
		'Width',
		'widthNorm',
		0.3,
		'Width as a fraction of the page width; Left plus Width may not exceed 1',
	),
	coordinate(
		'Height',
		'heightNorm',
		0.06,
		'Height as a fraction of the page height; Top plus Height may not exceed 1',
	),
];

const more: readonly Value[] = [
	id('id', 'ID', {
		description: 'An ID for the field. IDs do not stay the same when fields are replaced.',
	}),
	toggle('required', 'Required', {
		default: true,
		description: 'Whether the signer has to fill the field',
	}),
	text('placeholderText', 'Placeholder Text', {
		max: MAX_LENGTH.placeholderText,
		mayBeNothing: true,
		description: 'The text that an empty field shows, up to 120 characters',
	}),
	text('helpText', 'Help Text', {
		max: MAX_LENGTH.helpText,
		mayBeNothing: true,
		description: 'An explanation that the signer sees, up to 500 characters',
	}),
	texts('dropdownOptions', 'Options to Choose From', {
		max: MAX_LENGTH.choice,
		items: MAX_CHOICES,
		placeholder: 'e.g. Monthly, Quarterly, Yearly',
		description:
			'Comma-separated choices of a Dropdown or Radio Group, or a list from an expression: at most 40, each up to 80 characters',
	}),
	text('dateFormat', 'Date Format', {
		max: MAX_LENGTH.dateFormat,
		placeholder: 'e.g. YYYY-MM-DD',
		description: 'The format of the date, up to 20 characters',
	}),
	choice('radioLayout', 'Radio Layout', {
		options: [
			{ name: 'Inline', value: 'INLINE', description: 'Choices side by side' },
			{ name: 'Stacked', value: 'STACKED', description: 'Choices one below the other' },
		],
		default: 'STACKED',
		description: 'How the choices of a Radio Group are arranged',
	}),
	text('value', 'Value', {
		max: MAX_LENGTH.fieldValue,
		mayBeNothing: true,
		description:
			'The initial value, up to 2,000 characters. With Fill Mode Prefilled the signer cannot change it.',
	}),
	choice('fontFamily', 'Font Family', {
		options: [
			{ name: 'Courier', value: 'COURIER' },
			{ name: 'Helvetica', value: 'HELVETICA' },
			{ name: 'Times', value: 'TIMES' },
		],
		default: 'HELVETICA',
		description: 'The typeface of the value',
	}),
	toggle('fontBold', 'Font Bold', { description: 'Whether to show the value in bold' }),
	toggle('fontItalic', 'Font Italic', { description: 'Whether to show the value in italics' }),
	integer('fontSize', 'Font Size', {
		...FONT_SIZE,
		default: 12,
		description: 'The size of the value in points, from 6 to 48',
	}),
	text('fontColor', 'Font Color', {
		type: 'color',
		max: 7,
		pattern: /^#[0-9a-f]{6}$/i,
		form: 'a colour of the form #RRGGBB, such as #1A2B3C',
		default: '#000000',
		description: 'The color of the value, as #RRGGBB',
	}),
	text('fieldKey', 'Field Key', {
		max: MAX_LENGTH.fieldKey,
		pattern: /^[a-z][a-z0-9_]{0,62}$/,
		form: 'a key: a lowercase letter, then lowercase letters, digits and underscores',
		placeholder: 'e.g. start_date',
		description:
			'The key for prefilling the field and reading it back: lowercase letters, digits and underscores',
	}),
	id('customFieldId', 'Custom Field ID', {
		description: 'The ID of a custom field of the workspace',
	}),
	choice('fillMode', 'Fill Mode', {
		options: [
			{
				name: 'Filled by Signer',
				value: 'SIGNER_FILLED',
				description: 'The signer enters or changes the value',
			},
			{
				name: 'Prefilled',
				value: 'PREFILLED',
				description: 'Value is fixed content that the signer cannot edit',
			},
		],
		default: 'SIGNER_FILLED',
		description: 'Who provides the value',
	}),
];

export const FIELD_VALUES = [...place, ...more];

export const fields = listOfRows({
	name: 'fields',
	displayName: 'Fields',
	row: { name: 'field', displayName: 'Field' },
	placeholder: 'Add Field to Place',
	description:
		'What the signers fill in, and where: fractions of the page from 0 to 1, counted from its top-left corner',
	values: place,
	more,
	json: {
		typeOptions: { rows: 8 },
		placeholder:
			'e.g. [{"recipient": "ada@example.com", "type": "SIGNATURE", "pageNumber": 1, "xNorm": 0.1, "yNorm": 0.8, "widthNorm": 0.3, "heightNorm": 0.06}]',
		hint: 'Name the recipient by email or by position in the list, starting at 1',
		description:
			'A list of up to 500 fields, each an object with recipient (email or 1-based position), type, pageNumber, xNorm, yNorm, widthNorm, heightNorm (fractions of the page from its top-left corner) and the optional properties of the API. To draw them on the PDF and copy this list, open <a href="https://n8n-nodes-esign.github.io/n8n-nodes-esign/">Place Fields</a>.',
	},
});
