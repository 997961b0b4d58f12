import {
	choice,
	collection,
	integer,
	texts,
	toggle,
	type Item,
	type Options,
	type Refuse,
	type Shown,
} from '../../../operation/parameters';
import { MAX_FIELDS, MAX_LENGTH, MAX_RECIPIENTS } from '../../../service/limits';
import { fields, type AskedField } from './field';
import { sizeOf } from './fieldTypes';

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

/** Two decimals may add up to slightly more than 1: such a box still fits. */
const ROUNDING = 1e-9;

/** A4, in points: where a position is given, nobody reads how large the pages are. */
const USUAL_PAGE = { width: 595, height: 842 };

export type AutomaticRequest = ReturnType<typeof readAutomatic>;

/** What fields are asked for: automatically placed ones, those of a list, or none. */
export interface FieldsRequest {
	/** As messages name them. */
	label: string;
	fields: AskedField[];
	automatic?: AutomaticRequest;
}

/**
 * The fields of one item, checked by themselves (docs/service.md section 2); plan.ts resolves who
 * fills them.
 */
export function readFields(item: Item): FieldsRequest {
	const { problems } = item;
	const mode = item.read(fieldsMode);
	const none = { label: fieldsMode.label, fields: [] };
	if (mode === undefined || mode === 'none') return none;
	if (mode === 'automatic') return { ...none, automatic: readAutomatic(item) };
	const given = item.read(fields);
	if (!given) return none;
	const { label, json, entries } = given;
	if (entries.length > MAX_FIELDS)
		problems.add(label, `has ${entries.length} entries`, `Use ${MAX_FIELDS} at most`);
	const asked = entries as AskedField[];
	for (const [index, field] of asked.entries())
		setSize(field, json, problems.at(`${label} > ${index + 1}`));
	return { label, fields: asked };
}

/** A Page Number alone means that page. Without a page it is the last one. */
function readAutomatic(item: Item) {
	const { page, pageNumber, ...given } = item.read(automatic);
	const numbers: Record<string, number> = { first: 1, number: pageNumber ?? 1 };
	return { useTags: true, ...given, page: page === undefined ? pageNumber : numbers[page] };
}

/** Whether the text of the document says where fields are. */
export function asksForText({ automatic, fields }: FieldsRequest): boolean {
	return automatic?.useTags === true || fields.some(({ text }) => text !== undefined);
}

/** Whether the fields can be placed only if the pages of the document are known. */
export function asksForOriginal(request: FieldsRequest): boolean {
	const { automatic } = request;
	return (automatic && automatic.page === undefined) || asksForText(request);
}

/**
 * At a position a size of 0 is the usual one; at a text it depends on the room there. A box that
 * leaves its page is `field_out_of_bounds` (docs/service.md section 4).
 */
function setSize(field: AskedField, json: boolean, refuse: Refuse): void {
	if (field.text !== undefined) return;
	const { width, height } = sizeOf(field);
	const edges = [
		['right', 'xNorm', 'widthNorm', width / USUAL_PAGE.width, 'Left', 'Width'],
		['bottom', 'yNorm', 'heightNorm', height / USUAL_PAGE.height, 'Top', 'Height'],
	] as const;
	for (const [edge, start, extent, usual, ...labels] of edges) {
		if (field[extent] === 0) field[extent] = usual;
		const end = Number(field[start]) + Number(field[extent]);
		if (end > 1) field[extent] = 1 - Number(field[start]);
		if (end > 1 + ROUNDING) {
			const names = json ? [start, extent] : labels;
			const sum = `${names.join(' plus ')} is ${Number(end.toFixed(6))}`;
			const what = `the box leaves the page at its ${edge} edge: ${sum}`;
			refuse(what, `Reduce ${names.join(' or ')} so that they add up to 1 at most`);
		}
	}
}
