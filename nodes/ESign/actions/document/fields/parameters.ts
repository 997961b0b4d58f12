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
	toggle('useTags', 'Use Tags', {
		default: true,
		description:
			'Whether to place the fields where the document has tags, such as [[signature 1]]. Page, Add Name and Add Date count for documents without tags.',
	}),
	choice('page', 'Page', {
		options: [
			{ name: 'First Page', value: 'first' },
			{ name: 'Last Page', value: 'last' },
			{ name: 'Page Number', value: 'number', description: 'The page given in Page Number' },
		],
		default: 'last',
		description: 'The page to place the boxes on',
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
	description:
		'Fields where the document has tags, or else one signature box per signer at the bottom of a page',
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
			'Fields where the document has tags, such as [[signature 1]]; without tags one signature box per signer on the last page',
	},
	form: {
		name: 'One by One',
		value: 'form',
		description: 'Add each field, at a text of the document or at a position',
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

/** @param isNew whether the recipients and their types are given beside the fields */
export function fieldsDescription(
	modes: ReadonlyArray<keyof typeof MODES>,
	isNew: boolean,
): Shown[] {
	const options = (automatic.property.options ?? []).filter(
		({ name }) => !isNew || name !== 'signers',
	);
	const [, form, json] = fields.description;
	return [modeOf(modes), { property: { ...automatic.property, options } }, form, json];
}
