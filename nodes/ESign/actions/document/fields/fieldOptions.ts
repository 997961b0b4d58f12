import { choice, id, integer, text, texts, toggle } from '../../../operation/parameters';
import { FONT_SIZE, MAX_LENGTH, MAX_CHOICES } from '../../../service/limits';

/** What a field may have beside its place, by the service's names (docs/service.md section 2). */
export const more = [
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
		options: {
			INLINE: ['Inline', 'Choices side by side'],
			STACKED: ['Stacked', 'Choices one below the other'],
		},
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
		options: {
			COURIER: ['Courier'],
			HELVETICA: ['Helvetica'],
			TIMES: ['Times'],
		},
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
		options: {
			SIGNER_FILLED: ['Filled by Signer', 'The signer enters or changes the value'],
			PREFILLED: ['Prefilled', 'Value is fixed content that the signer cannot edit'],
		},
		default: 'SIGNER_FILLED',
		description: 'Who provides the value',
	}),
];
