import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { fieldOptions } from './options';
import { FIELD_TYPES } from './rules';

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
				fieldOptions,
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
		'A list of up to 500 fields, each an object with recipient (email or 1-based position), type, pageNumber, xNorm, yNorm, widthNorm, heightNorm (fractions of the page from its top-left corner) and the optional properties of the API. To draw them on the PDF, open index.html of <a href="https://github.com/n8n-nodes-esign/n8n-nodes-esign/tree/main/docs/place-fields">docs/place-fields</a> in your browser.',
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
