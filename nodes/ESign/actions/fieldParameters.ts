import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { FIELD_TYPES } from './fieldRules';

const coordinate = (displayName: string, name: string, value: number, description: string): INodeProperties => ({
	displayName,
	name,
	type: 'number',
	typeOptions: { numberPrecision: 4, minValue: 0 },
	default: value,
	description,
});

export const fieldEntries: INodeProperties = {
	displayName: 'Fields',
	name: 'fields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add Field',
	default: {},
	displayOptions: { show: { fieldsInput: ['form'] } },
	description:
		'What the signers fill in, and where: fractions of the page from 0 to 1, counted from its top-left corner',
	options: [
		{
			displayName: 'Field',
			name: 'field',
			values: [
				{
					displayName: 'Recipient',
					name: 'recipient',
					type: 'string',
					default: '',
					placeholder: 'e.g. ada@example.com',
					description:
						'Who fills the field: the email of a recipient, or the position in the list (1 is the first). Leave empty to assign it later.',
				},
				{
					displayName: 'Type',
					name: 'type',
					type: 'options',
					options: [...FIELD_TYPES],
					default: 'SIGNATURE',
					description: 'What the field asks for. Every signer needs a Signature before the document can be sent.',
				},
				{
					displayName: 'Page',
					name: 'pageNumber',
					type: 'number',
					typeOptions: { minValue: 1, numberPrecision: 0 },
					default: 1,
					description: 'The page that the field is on, counted from 1 through all files',
				},
				coordinate('Left', 'xNorm', 0.1, 'Left edge as a fraction of the page width: 0 is its left edge, 1 its right'),
				coordinate('Top', 'yNorm', 0.8, 'Top edge as a fraction of the page height: 0 is its top, 1 its bottom'),
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
				{
					displayName: 'Additional Fields',
					name: 'additionalFields',
					type: 'collection',
					placeholder: 'Add Field',
					default: {},
					options: [
						{
							displayName: 'Custom Field ID',
							name: 'customFieldId',
							type: 'string',
							default: '',
							description: 'The ID of a custom field of the workspace',
						},
						{
							displayName: 'Date Format',
							name: 'dateFormat',
							type: 'string',
							default: '',
							placeholder: 'e.g. YYYY-MM-DD',
							description: 'How a date is written, up to 20 characters',
						},
						{
							displayName: 'Field Key',
							name: 'fieldKey',
							type: 'string',
							default: '',
							placeholder: 'e.g. start_date',
							description:
								'A name by which to prefill the field or read it back: lowercase letters, digits and underscores',
						},
						{
							displayName: 'Fill Mode',
							name: 'fillMode',
							type: 'options',
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
						},
						{
							displayName: 'Font Bold',
							name: 'fontBold',
							type: 'boolean',
							default: false,
							description: 'Whether the value is written in bold',
						},
						{
							displayName: 'Font Color',
							name: 'fontColor',
							type: 'color',
							default: '#000000',
							description: 'The colour of the value, as #RRGGBB',
						},
						{
							displayName: 'Font Family',
							name: 'fontFamily',
							type: 'options',
							options: [
								{ name: 'Courier', value: 'COURIER' },
								{ name: 'Helvetica', value: 'HELVETICA' },
								{ name: 'Times', value: 'TIMES' },
							],
							default: 'HELVETICA',
							description: 'The typeface of the value',
						},
						{
							displayName: 'Font Italic',
							name: 'fontItalic',
							type: 'boolean',
							default: false,
							description: 'Whether the value is written in italics',
						},
						{
							displayName: 'Font Size',
							name: 'fontSize',
							type: 'number',
							typeOptions: { minValue: 6, numberPrecision: 0 },
							default: 12,
							description: 'The size of the value in points, from 6 to 48',
						},
						{
							displayName: 'Help Text',
							name: 'helpText',
							type: 'string',
							default: '',
							description: 'An explanation that the signer sees, up to 500 characters',
						},
						{
							displayName: 'ID',
							name: 'id',
							type: 'string',
							default: '',
							description: 'An ID for the field. IDs do not stay the same when fields are replaced.',
						},
						{
							displayName: 'Options to Choose From',
							name: 'dropdownOptions',
							type: 'string',
							default: '',
							placeholder: 'e.g. Monthly, Quarterly, Yearly',
							description:
								'Comma-separated choices of a Dropdown or Radio Group, or a list from an expression: at most 40, each up to 80 characters',
						},
						{
							displayName: 'Placeholder Text',
							name: 'placeholderText',
							type: 'string',
							default: '',
							description: 'What the empty field shows, up to 120 characters',
						},
						{
							displayName: 'Radio Layout',
							name: 'radioLayout',
							type: 'options',
							options: [
								{ name: 'Inline', value: 'INLINE', description: 'Choices side by side' },
								{ name: 'Stacked', value: 'STACKED', description: 'Choices one below the other' },
							],
							default: 'STACKED',
							description: 'How the choices of a Radio Group are arranged',
						},
						{
							displayName: 'Required',
							name: 'required',
							type: 'boolean',
							default: true,
							description: 'Whether the signer has to fill the field',
						},
						{
							displayName: 'Value',
							name: 'value',
							type: 'string',
							default: '',
							description:
								'What the field holds at first, up to 2,000 characters. With Fill Mode Prefilled it stays so.',
						},
					],
				},
			],
		},
	],
};

export const fieldsJson: INodeProperties = {
	displayName: 'Fields (JSON)',
	name: 'fieldsJson',
	type: 'json',
	typeOptions: { rows: 8 },
	default: '[]',
	displayOptions: { show: { fieldsInput: ['json'] } },
	placeholder:
		'e.g. [{"recipient": "ada@example.com", "type": "SIGNATURE", "pageNumber": 1, "xNorm": 0.1, "yNorm": 0.8, "widthNorm": 0.3, "heightNorm": 0.06}]',
	hint: 'Name the recipient by email or by position in the list, starting at 1',
	description:
		'A list of up to 500 fields, each an object with recipient (email or 1-based position), type, pageNumber, xNorm, yNorm, widthNorm, heightNorm (fractions of the page from its top-left corner) and the optional properties of the API',
};

export const automatic: INodeProperties = {
	displayName: 'Automatic Placement',
	name: 'automatic',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	displayOptions: { show: { fieldsInput: ['automatic'] } },
	description: 'One signature box per signer, stacked at the bottom of a page',
	options: [
		{
			displayName: 'Add Date',
			name: 'addDate',
			type: 'boolean',
			default: false,
			description: 'Whether the date of signing stands beside each signature',
		},
		{
			displayName: 'Add Name',
			name: 'addName',
			type: 'boolean',
			default: false,
			description: "Whether the signer's name stands beside each signature",
		},
		{
			displayName: 'Last Page',
			name: 'lastPage',
			type: 'boolean',
			default: false,
			description:
				'Whether to place the boxes on the last page instead of a numbered one. Works for PDF, PNG and JPEG files of the input item; the page count of other files is not known before the service converts them.',
		},
		{
			displayName: 'Page Number',
			name: 'pageNumber',
			type: 'number',
			typeOptions: { minValue: 1, numberPrecision: 0 },
			default: 1,
			description: 'The page to place the boxes on, counted from 1 through all files',
		},
	],
};

const MODES = {
	none: {
		name: 'None',
		value: 'none',
		description: 'A draft without fields, to be given them later. It cannot be sent yet.',
	},
	noneLeft: {
		name: 'None (Delete All Fields)',
		value: 'none',
		description: 'Delete all fields of the draft and place none',
	},
	automatic: {
		name: 'Automatic',
		value: 'automatic',
		description:
			'One signature box per signer at the bottom of a page: the quickest way to a document that can be sent',
	},
	form: { name: 'Using Fields Below', value: 'form', description: 'Fill in one field after the other' },
	json: { name: 'Using JSON', value: 'json', description: 'Give the whole list as JSON or as an expression' },
} satisfies Record<string, INodePropertyOptions>;

/** The choice of how fields are given. */
export function fieldsMode(preset: keyof typeof MODES, ...others: Array<keyof typeof MODES>): INodeProperties {
	return {
		displayName: 'Fields to Place',
		name: 'fieldsInput',
		type: 'options',
		options: [preset, ...others].map((mode) => MODES[mode]),
		default: preset,
		description: 'What the signers fill in on the document',
	};
}
