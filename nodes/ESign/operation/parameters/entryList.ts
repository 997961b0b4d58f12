import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import {
	isByModel,
	isGlued,
	isLeftOut,
	partOf,
	refusedForExpressionText,
	refusedForNothing,
	type ParameterValue,
} from './checks/parameterValue';
import type { Refuse } from './checks/problems';
import { checkObject, choice, collection } from './declare';
import type { Item, Shown } from './item';
import type { Value } from './value';

interface ListSpec {
	/** `recipients` gives the parameters `recipientsInput` and `recipientsJson`. */
	name: string;
	displayName: string;
	/** What an entry may hold, wherever it comes from. */
	values: readonly Value[];
	/** Where entries are of several kinds: an entry as it is read, and what it may hold. */
	kindOf?(entry: ParameterValue): { entry: ParameterValue; values: readonly Value[] };
	json: Partial<INodeProperties>;
	/** The other way to give the list, and the parameter for it. */
	option: INodePropertyOptions & { value: string };
	form: INodeProperties;
	/** What a row of the form is called, if it has rows. */
	row?: string;
}

/** A list that is filled in as a form or handed over as JSON, and the choice between the two. */
export function entryList(spec: ListSpec) {
	const { name, displayName, values, option, form, row = '' } = spec;
	const { kindOf = (entry: ParameterValue) => ({ entry, values }) } = spec;
	const json = jsonOf(spec);
	const mode = choice(`${name}Input`, `Specify ${displayName}`, {
		options: {
			[option.value]: [option.name, option.description],
			json: ['Using JSON', 'Provide the full list as JSON or an expression'],
		},
		default: option.value,
		description: `How to enter the ${displayName.toLowerCase()}: in a form, or all at once as a list, for example from an earlier node`,
	});
	const description = [
		mode,
		{ property: { ...form, ...shownFor(name, option.value) } },
		{ property: json },
	] as const;
	const isJson = (item: Item) => item.read(mode) === 'json';

	/**
	 * Entries with problems may be incomplete, but keep their places. Undefined when what was given
	 * is no list, or has no entries, which is then told.
	 */
	function read(item: Item) {
		const isGivenAsJson = isJson(item);
		const property = isGivenAsJson ? json : form;
		const { displayName: label } = property;
		const refuse = item.problems.at(label);
		const given = item.given(property);
		const list = isGivenAsJson ? jsonList(given, name, refuse) : rowsOf(partOf(given, row));

		if (list?.length === 0) {
			// n8n itself drops what a program wrote in any other form, before a node sees it.
			const under = row && `under ${name}.${row}, or `;
			return refuse(
				'is empty',
				`Add at least one entry. A program that writes the workflow puts them ${under}into ${json.displayName}`,
			);
		}

		const entries = list?.map((one, index) => {
			const { entry, values: allowed } = kindOf(one);
			return checkObject(entry, allowed, `${label} > ${index + 1}`, item, isGivenAsJson);
		});
		return entries && { label, json: isGivenAsJson, entries };
	}

	return { description, isJson, read };
}

const shownFor = (name: string, mode: string) => ({
	displayOptions: { show: { [`${name}Input`]: [mode] } },
});

function jsonOf({ name, displayName, json }: ListSpec): INodeProperties {
	return {
		displayName: `${displayName} (JSON)`,
		name: `${name}Json`,
		type: 'json',
		default: '[]',
		typeOptions: { rows: 6 },
		...shownFor(name, 'json'),
		...json,
	};
}

interface RowsSpec extends Omit<ListSpec, 'option' | 'form' | 'row'> {
	/** What an entry may hold beside: rarely used, and in a collection of its own in the form. */
	more?: readonly Value[];
	row: { name: string; displayName: string };
	placeholder?: string;
	description: string;
}

/** A list that is filled in row by row, or handed over as JSON. */
export function listOfRows({ more = [], row, placeholder, description, ...list }: RowsSpec) {
	const { name, displayName, values } = list;
	const beside = collection('additionalFields', 'Options', more, { placeholder: 'Add Option' });
	const columns: readonly Shown[] = more.length > 0 ? [...values, beside] : values;
	const form: INodeProperties = {
		displayName,
		name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: placeholder ?? `Add ${row.displayName}`,
		default: {},
		description,
		options: [{ ...row, values: columns.map((column) => column.property) }],
	};
	const option = {
		name: `Using ${displayName} Below`,
		value: 'form',
		description: 'Fill in one after the other',
	};
	return entryList({ ...list, values: [...values, ...more], option, form, row: row.name });
}

/** Each row with the values that the form keeps in a collection of their own. */
function rowsOf(rows: ParameterValue): ParameterValue[] {
	const whole = (row: unknown) => {
		const { additionalFields, ...values } = Object(row) as IDataObject;
		return { ...values, ...(additionalFields as IDataObject | undefined) };
	};
	if (!Array.isArray(rows.value)) return [];
	const parts = rows.value.map((_, index) => partOf(rows, index));
	return parts.map((row) => ({ ...row, value: whole(row.value), raw: whole(row.raw) }));
}

/**
 * A list given as JSON: text, an array, one object, or a request body with the list under `key`.
 * Undefined if refused.
 */
export function jsonList(
	given: ParameterValue,
	key: string,
	refuse: Refuse,
): ParameterValue[] | undefined {
	let { value } = given;
	if (refusedForNothing(given, refuse)) return undefined;
	if (isLeftOut(given)) return [];
	if (typeof value === 'string') {
		if (refusedForExpressionText(given, refuse)) return undefined;
		const text = value.replace(/^\uFEFF/, '');
		try {
			value = (JSON.parse(text) as unknown) ?? [];
		} catch (error) {
			// The parser's own message quotes the text around the place, which may hold a recipient's
			// pin.
			const [place = ''] = / at position \d+/.exec(String(error)) ?? [];
			return refuse(`is not valid JSON${place}`, 'Correct it, or switch to the form');
		}
	}
	if (typeof value !== 'object') {
		return refuse('is neither a list nor an object', 'Enter a JSON array, one object per entry');
	}
	const held: unknown = (value as Record<string, unknown>)[key];
	// JSON is data: what it leaves empty is left empty.
	const list = (Array.isArray(held) ? held : [value].flat()) as unknown[];
	const whole = { isGlued: isGlued(given.raw), isByModel: isByModel(given) };
	return list.map((one) => ({ value: one, ...whole }));
}
