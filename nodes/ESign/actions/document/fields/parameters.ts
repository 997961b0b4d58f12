import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { fieldOptions } from './options';
import { FIELD_TYPES } from './rules';

const coordinate = (displayName: string, name: string, value: number, description: string): INodeProperties => ({
	displayName,
	name,
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 1 },
	default: value,
	hint: `Fraction of the page ${/Left|Width/.test(displayName) ? 'width' : 'height'}, from 0 to 1`,
	description,
});

export const fieldEntries: INodeProperties = {
	displayName: 'Fields',
	name: 'fields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add Field to Place',
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
					displayName: 'Recipient Name or ID',
					name: 'recipient',
					type: 'options',
					typeOptions: { loadOptionsMethod: 'getFieldRecipients' },
					default: '',
					description:
						'Who fills the field. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
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
			displayName: 'Page',
			name: 'page',
			type: 'options',
			options: [
				{ name: 'First Page', value: 'first' },
				{ name: 'Last Page', value: 'last' },
				{ name: 'Page Number', value: 'number', description: 'The page given in Page Number' },
			],
			default: 'last',
			description:
				'The page to place the boxes on. The last page is known for PDF, PNG and JPEG files of the input item; for a Word file or files given by ID choose another.',
		},
		{
			displayName: 'Page Number',
			name: 'pageNumber',
			type: 'number',
			typeOptions: { minValue: 1, numberPrecision: 0 },
			default: 1,
			displayOptions: { hide: { page: ['first', 'last'] } },
			description: 'The page to place the boxes on, counted from 1 through all files',
		},
	],
};

const MODES = {
	none: {
		name: 'None',
		value: 'none',
		description:
			'Create the draft without fields; add them later. A signer without a signature field cannot be asked to sign.',
	},
	noneLeft: {
		name: 'None (Delete All Fields)',
		value: 'none',
		description: 'Delete all fields of the draft and place none',
	},
	automatic: {
		name: 'Automatic',
		value: 'automatic',
		description: 'One signature box per signer at the bottom of the last page, or of the page that you choose',
	},
	form: { name: 'One by One', value: 'form', description: 'Add each field with its page and position' },
	json: { name: 'Using JSON', value: 'json', description: 'Provide the full list as JSON or an expression' },
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
