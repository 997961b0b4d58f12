import { isObject } from '../../../client';
import {
	choice,
	integer,
	listOfRows,
	number,
	text,
	type ParameterValue,
	type Value,
	type ValuesOf,
} from '../../../operation/parameters';
import { MAX_LENGTH } from '../../../service/limits';
import { more } from './fieldOptions';
import { FIELD_TYPES } from './fieldTypes';

/** The longest text to look for: several lines. */
const MAX_ANCHOR = 200;

const FRACTION = { min: 0, max: 1, typeOptions: { maxValue: 1 } };
const OFFSET = { min: -1, max: 1, default: 0 };

/**
 * Who fills a field, and what it is. `recipient` takes the place of the service's `recipientId`.
 */
const what = [
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
];

const place = choice('place', 'Place', {
	options: {
		atPosition: ['At Position', 'At a place on a page that you measure'],
		atText: ['At Text', 'Where a text stands in the document, on whatever page that is'],
	},
	default: 'atText',
	noDataExpression: true,
	description: 'Where the field is',
});

const position = [
	integer('pageNumber', 'Page', {
		min: 1,
		mandatory: true,
		default: 1,
		description: 'The page that the field is on, counted from 1 through all files',
	}),
	number('xNorm', 'Left', {
		...FRACTION,
		mandatory: true,
		default: 0.1,
		hint: 'Fraction of the page width, from 0 to 1',
		description: 'Left edge as a fraction of the page width: 0 is its left edge, 1 its right',
	}),
	number('yNorm', 'Top', {
		...FRACTION,
		mandatory: true,
		default: 0.8,
		hint: 'Fraction of the page height, from 0 to 1',
		description: 'Top edge as a fraction of the page height: 0 is its top, 1 its bottom',
	}),
];

/** By a text of the document: the node finds it, and the field is where it stands. */
const byText = [
	text('text', 'Text', {
		max: MAX_ANCHOR,
		mandatory: true,
		placeholder: 'e.g. Signature of the client:',
		description:
			'Whole words as they stand in the document. Case, spaces and the form of quotes and dashes make no difference.',
	}),
	choice('side', 'Side', {
		options: {
			above: ['Above', 'Ends over the text'],
			below: ['Below', 'Begins under the text'],
			on: ['On', 'Covers the text'],
			right: ['Right', 'Behind the text, on the same line'],
		},
		default: 'on',
		description: 'Where the field is, seen from the text',
	}),
	choice('occurrence', 'Occurrence', {
		options: {
			every: ['Every', 'A field at each place of the text'],
			first: ['First', 'The first place in the order of reading'],
			last: ['Last', 'The last place in the order of reading'],
			only: ['Only', 'A text that is there several times is refused'],
		},
		default: 'only',
		description: 'Which place counts if the text is there several times',
	}),
	number('xOffsetNorm', 'Move Right', {
		...OFFSET,
		hint: 'Fraction of the page width, from -1 to 1',
		description: 'To the right, as a fraction of the page width; below 0 to the left',
	}),
	number('yOffsetNorm', 'Move Down', {
		...OFFSET,
		hint: 'Fraction of the page height, from -1 to 1',
		description: 'Down, as a fraction of the page height; below 0 up',
	}),
];

const extent = <const Name extends string>(name: Name, displayName: 'Width' | 'Height') =>
	number(name, displayName, {
		...FRACTION,
		default: 0,
		hint: `Fraction of the page ${displayName.toLowerCase()}; 0 is what the type needs`,
		description: `${displayName} as a fraction of the page; 0 is the usual size of the type, which at a text depends on the room there, too`,
	});

/** Once in a row for both places: of two values of one name n8n presets the last. */
const size = [extent('widthNorm', 'Width'), extent('heightNorm', 'Height')] as const;

/** What says where a field by a text is. */
export const ANCHOR_VALUES = [...byText, ...size];

/** What a field at a position may have. */
export const FIELD_VALUES = [
	...what,
	...position,
	...size.map((value) => value.with({ mandatory: true })),
	...more,
];

const AT_POSITION = [place, ...FIELD_VALUES];
const AT_TEXT = [place, ...what, ...ANCHOR_VALUES, ...more];

/** A field as it is asked for, with what else the service takes of it. */
export type AskedField = ValuesOf<typeof AT_POSITION> & ValuesOf<typeof AT_TEXT>;

/** As the service takes it (docs/service.md section 2). */
export type Place = Required<ValuesOf<typeof position> & ValuesOf<typeof size>>;

const shownAt = (chosen: string, values: readonly Value[]) =>
	values.map((value) => value.with({ displayOptions: { show: { place: [chosen] } } }));

/**
 * | entry of the form or the JSON                      | as it is read                            |
 * | -------------------------------------------------- | ---------------------------------------- |
 * | `place: "atText", text: "Client:"` (form)          | the same                                 |
 * | `anchor: { text: "Client:" }, type: "DATE"` (JSON) | `place: "atText"`, and the text          |
 * | `pageNumber: 1, xNorm: 0.1, …` (JSON)              | the same: it is at a position            |
 */
function kindOf(given: ParameterValue): { entry: ParameterValue; values: readonly Value[] } {
	if (!isObject(given.value)) return { entry: given, values: AT_POSITION };
	const { anchor, ...rest } = given.value;
	const value = isObject(anchor) ? { ...rest, ...anchor, place: 'atText' } : given.value;
	const isAtText = /^atText$/i.test(String(value.place));
	return { entry: { ...given, value }, values: isAtText ? AT_TEXT : AT_POSITION };
}

export const fields = listOfRows({
	name: 'fields',
	displayName: 'Fields',
	row: { name: 'field', displayName: 'Field' },
	placeholder: 'Add Field to Place',
	description: 'What the signers fill in, and where: at a text of the document or at a position',
	values: [
		...what,
		place,
		...shownAt('atText', byText),
		...shownAt('atPosition', position),
		...size,
	],
	more,
	kindOf,
	json: {
		typeOptions: { rows: 8 },
		placeholder:
			'e.g. [{"recipient": "ada@example.com", "type": "SIGNATURE", "pageNumber": 1, "xNorm": 0.1, "yNorm": 0.8, "widthNorm": 0.3, "heightNorm": 0.06}]',
		hint: 'Name the recipient by email or by position in the list, starting at 1',
		description:
			'A list of up to 500 fields, each an object with recipient (email or position), type, and either pageNumber, xNorm, yNorm, widthNorm, heightNorm (fractions of the page) or anchor (text, and if need be side, occurrence, xOffsetNorm, yOffsetNorm). <a href="https://n8n-nodes-esign.github.io/n8n-nodes-esign/">Place Fields</a> draws them on the PDF.',
	},
});
