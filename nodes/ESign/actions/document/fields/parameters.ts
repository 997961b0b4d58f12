import type { INodePropertyOptions } from 'n8n-workflow';
import {
	choice,
	collection,
	integer,
	texts,
	toggle,
	type Shown,
} from '../../../operation/parameters';
import { MAX_LENGTH, MAX_RECIPIENTS } from '../../../service/limits';
import { fields } from './field';

const placement = [
	choice('page', 'Page', {
		options: [
			{ name: 'First Page', value: 'first' },
			{ name: 'Last Page', value: 'last' },
			{ name: 'Page Number', value: 'number', description: 'The page given in Page Number' },
		],
		default: 'last',
		description:
			'The page to place the boxes on. The last page is known for PDF, PNG and JPEG files of the input item; for a Word file or files given by ID choose another.',
	}),
	integer('pageNumber', 'Page Number', {
		min: 1,
		default: 1,
		displayOptions: { hide: { page: ['first', 'last'] } },
		description: 'The page to place the boxes on, counted from 1 through all files',
	}),
	toggle('addName', 'Add Name', {
		description: "Whether to show the signer's name beside each signature",
	}),
	toggle('addDate', 'Add Date', {
		description: 'Whether to show the date of signing beside each signature',
	}),
	texts('signers', 'Signers', {
		max: MAX_LENGTH.email,
		items: MAX_RECIPIENTS,
		placeholder: 'e.g. ada@example.com, grace@example.com',
		description:
			'Comma-separated emails of the recipients who sign. Needed if the document has a cc, whom the service does not distinguish from signers; leave empty if all recipients sign.',
	}),
] as const;

export const automatic = collection('automatic', 'Automatic Placement', placement, {
	placeholder: 'Add Option',
	displayOptions: { show: { fieldsInput: ['automatic'] } },
	description: 'One signature box per signer, stacked at the bottom of a page',
});

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
		description:
			'One signature box per signer at the bottom of the last page, or of the page that you choose',
	},
	form: {
		name: 'One by One',
		value: 'form',
		description: 'Add each field with its page and position',
	},
	json: {
		name: 'Using JSON',
		value: 'json',
		description: 'Provide the full list as JSON or an expression',
	},
} satisfies Record<string, INodePropertyOptions>;

const modeOf = (modes: ReadonlyArray<keyof typeof MODES>) =>
	choice('fieldsInput', 'Fields to Place', {
		options: modes.map((mode) => MODES[mode]),
		mandatory: true,
		default: modes[0],
		description: 'What the signers fill in on the document',
	});

/** How the fields are given: what messages about them as a whole name. */
export const fieldsMode = modeOf(['none', 'automatic', 'form', 'json']);

/** @param hidden what automatic placement cannot be told here */
export function fieldsDescription(
	modes: ReadonlyArray<keyof typeof MODES>,
	hidden: 'page' | 'signers',
): Shown[] {
	const shown = (automatic.property.options ?? []).filter(({ name }) => name !== hidden);
	// n8n 1.x does not publish a workflow with a value that is shown by one that is not there.
	const options =
		hidden === 'page' ? shown.map((one) => ({ ...one, displayOptions: undefined })) : shown;
	const [, form, json] = fields.description;
	return [modeOf(modes), { property: { ...automatic.property, options } }, form, json];
}
