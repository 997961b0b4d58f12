import {
	choice,
	collection,
	integer,
	texts,
	toggle,
	type Options,
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
		options: {
			first: ['First Page'],
			last: ['Last Page'],
			number: ['Page Number', 'The page given in Page Number'],
		},
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
			'Comma-separated emails of the recipients who sign. Leave empty if all do; needed if the document has a cc.',
	}),
] as const;

export const automatic = collection('automatic', 'Automatic Placement', placement, {
	placeholder: 'Add Option',
	displayOptions: { show: { fieldsInput: ['automatic'] } },
	description:
		'Fields where the document has tags, or else one signature box per signer at the bottom of a page',
});

/** How fields may be given. */
const MODES = {
	automatic: [
		'Automatic',
		'Fields where the document has tags, such as [[signature 1]]; without tags one signature box per signer on the last page',
	],
	form: ['One by One', 'Add each field, at a text of the document or at a position'],
	json: ['Using JSON', 'Provide the full list as JSON or an expression'],
} as const;

const NONE = [
	'None',
	'No fields yet: a draft can get them later. A signer without a signature field cannot be asked to sign.',
] as const;

const NONE_LEFT = [
	'None (Delete All Fields)',
	'Delete all fields of the draft and place none',
] as const;

const modeOf = (options: Options) =>
	choice('fieldsInput', 'Fields to Place', {
		options,
		mandatory: true,
		default: Object.keys(options)[0],
		description: 'What the signers fill in on the document',
	});

/** How the fields are given: what messages about them as a whole name. */
export const fieldsMode = modeOf({ none: NONE, ...MODES });

/** @param isNew whether the recipients and their types are given beside the fields */
export function fieldsDescription(isNew: boolean): Shown[] {
	const { form: oneByOne, ...others } = MODES;
	const mode = modeOf(
		isNew ? { ...MODES, none: NONE } : { form: oneByOne, ...others, none: NONE_LEFT },
	);
	const options = (automatic.property.options ?? []).filter(
		({ name }) => !isNew || name !== 'signers',
	);
	const [, form, json] = fields.description;
	return [mode, { property: { ...automatic.property, options } }, form, json];
}
