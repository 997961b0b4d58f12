import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { NIGHTLY } from '../../support/nightly';
import { resources } from '../../../nodes/ESign/actions';
import type { Operation } from '../../../nodes/ESign/operation/operation';
import { bench, openBench } from '../support/operationRun';
import { given } from './cases';

openBench();

/**
 * A parameter that a user can give an expression: its names from the outside in, with `[]` for the
 * row of a list.
 */
type Place = {
	operation: string;
	path: string[];
	parameter: INodeProperties;
	show: IDataObject;
	/** What has to stand beside it in its collection, for the form to show it. */
	beside: IDataObject;
};

const COLLECTION = 'collection';

function placesIn(
	operation: string,
	properties: readonly INodeProperties[],
	before: string[],
	shown: IDataObject,
): Place[] {
	return properties.flatMap((parameter): Place[] => {
		const { name, type, options = [], displayOptions, noDataExpression } = parameter;
		const shows = Object.entries(displayOptions?.show ?? {}).map(([key, values]) => [
			key,
			values?.[0],
		]);
		const own = Object.fromEntries(shows) as IDataObject;
		const show = { ...shown, ...(before.length === 0 && own) };
		const path = [...before, name];
		if (type === 'notice' || noDataExpression) return [];
		if (type === COLLECTION) return placesIn(operation, options as INodeProperties[], path, show);
		// A field at a text needs one.
		const text = own.place === 'atText' && name !== 'text' ? { text: 'Signature' } : {};
		const beside = before.length === 0 ? {} : { ...own, ...text };
		if (type !== 'fixedCollection') return [{ operation, path, parameter, show, beside }];
		const rows = parameter.typeOptions?.multipleValues ? ['[]'] : [];
		return options.flatMap((row) =>
			'values' in row ? placesIn(operation, row.values, [...path, row.name, ...rows], show) : [],
		);
	});
}

const operations = resources.flatMap(({ option: resource, operations: list }) =>
	(list as readonly Operation[])
		// Its parameters are those of Create.
		.filter(({ option }) => option.value !== 'createAndSend')
		.map(({ option, description }) => ({
			name: `${resource.value}/${option.value}`,
			description: description.map(({ property }) => property),
		})),
);
const places = operations.flatMap(({ name, description }) => placesIn(name, description, [], {}));
const nameOf = ({ path }: Place) => path.join('.').replace(/\.\[\]/g, '');

/**
 * The first of each name and kind: a parameter is read in the same way by every operation that has
 * it. At night all of them.
 */
function ofEachKind(list: Place[]): Place[] {
	const kindOf = ({ parameter: { name, type, required }, path }: Place) =>
		[name, type, required, path.length].join();
	const first = new Map(list.toReversed().map((place) => [kindOf(place), place]));
	return NIGHTLY ? list : [...first.values()];
}

/**
 * Where nothing is an answer of its own: a person without a telephone, a page without a headline.
 * Everywhere else empty stands for everyone, for everything, for a default or for no limit.
 */
const MAY_BE_NOTHING = [
	'document/create recipients.recipient.phone',
	'document/create fields.field.additionalFields.helpText',
	'document/create fields.field.additionalFields.placeholderText',
	'document/create fields.field.additionalFields.value',
	'document/createEmbedLink additionalFields.redirectUrl',
	'document/updateFields fields.field.additionalFields.helpText',
	'document/updateFields fields.field.additionalFields.placeholderText',
	'document/updateFields fields.field.additionalFields.value',
	'document/updateRecipients recipients.recipient.phone',
	'template/send embedOptions.redirectUrl',
	'templateLink/create additionalFields.headline',
	'templateLink/create additionalFields.label',
	'templateLink/create additionalFields.message',
	'templateLink/create additionalFields.redirectUrl',
	// Only for the list from which the link is chosen: the request names the link alone.
	'templateLink/delete templateId',
	'templateLink/get templateId',
	'templateLink/rotate templateId',
];

/**
 * The parameters with an expression in one place: in the first row, where the place is in a list.
 */
function withExpression(
	parameters: IDataObject,
	{ path, parameter, show, beside }: Place,
	expression: string,
): INodeParameters {
	const all = structuredClone({ ...parameters, ...show });
	let holder = all;
	for (const name of path.slice(0, -1)) {
		holder = (
			name === '[]' ? (holder as unknown as IDataObject[])[0] : (holder[name] ??= {})
		) as IDataObject;
	}
	const inLocator = parameter.type === 'resourceLocator' && {
		__rl: true,
		mode: 'id',
		value: expression,
	};
	Object.assign(holder, beside);
	holder[parameter.name] = inLocator || expression;
	return all as INodeParameters;
}

async function outcome(
	place: Place,
	expression: string,
	jsons: object[],
): Promise<{ errors: unknown[]; requests: number }> {
	const [resource = '', operation = ''] = place.operation.split('/');
	const name = `${resource}:${operation}`;
	const {
		parameters: working,
		items: [item],
	} = await given(name, bench.direct);
	// An expression in File Source shows both ways to give files, and File IDs is required.
	const shown = name === 'document:create' ? { ...working, fileIds: 'file_1' } : working;
	const parameters = withExpression(shown, place, expression);
	const items = jsons.map((json) => ({ ...item, json: { ...item?.json, ...json } }));
	const run = await bench.run(resource, operation, parameters, {
		items,
		settings: { onError: 'continueRegularOutput' },
	});
	expect(run.error).toBeUndefined();
	return { errors: run.items.map(({ json }) => json.error), requests: bench.takeRequests().length };
}

const NOTHING = [{}, { found: null }, { found: '' }, { found: ' \n' }];
const mayBeNothing = (place: Place) =>
	MAY_BE_NOTHING.includes(`${place.operation} ${nameOf(place)}`);
const titled = (list: Place[]) =>
	list.map((place) => [place.operation, nameOf(place), place] as const);

describe('An expression that finds nothing', () => {
	it('is put in every place there is', () => {
		expect(places.length).toBeGreaterThan(100);
		const known = places.map((place) => `${place.operation} ${nameOf(place)}`);
		expect(known).toEqual(expect.arrayContaining(MAY_BE_NOTHING));
		expect(known).toEqual(
			expect.arrayContaining(['document/remind recipientId', 'document/getAll filters.status']),
		);
	});

	it.each(titled(ofEachKind(places.filter((place) => !mayBeNothing(place)))))(
		'is refused before any request: %s, %s',
		async (_operation, _name, place) => {
			const { errors, requests } = await outcome(place, '={{ $json.found }}', NOTHING);
			const label = place.parameter.displayName.replace(/ Name or ID$/, '');
			const words = /found nothing|is missing|is empty|needs Name/;
			for (const error of errors) {
				expect(error).toMatch(words);
				expect(error).toContain(label);
			}
			expect({ requests, errors: errors.length }).toEqual({ requests: 0, errors: NOTHING.length });
		},
	);

	it.each(titled(ofEachKind(places.filter(mayBeNothing))))(
		'is an answer: %s, %s',
		async (_operation, _name, place) => {
			const { errors, requests } = await outcome(place, '={{ $json.found }}', [{}]);
			expect(errors).toEqual([undefined]);
			expect(requests).toBeGreaterThan(0);
		},
	);
});

describe('What a model leaves out of a tool call is left empty', () => {
	const optional = places.filter(
		({ parameter, path }) =>
			!parameter.required && !['fieldsInput', 'send', 'limit'].includes(path.at(-1) ?? ''),
	);
	it.each(titled(ofEachKind(optional)))('%s, %s', async (_operation, _name, place) => {
		const { errors } = await outcome(
			place,
			"={{ $fromAI('left_out', 'Only if asked for', 'string') }}",
			[{ unrelated: 1 }],
		);
		for (const error of errors) expect(String(error)).not.toMatch(/found nothing/);
	});
});
