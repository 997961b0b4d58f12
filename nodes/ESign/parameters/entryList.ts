import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { rowsOf, type Given } from './checks/given';
import { jsonList } from './checks/jsonList';
import { checkObject, choice, Collection, type Place } from './declare';
import type { Item, Shown } from './item';
import type { Value } from './value';

/** The entries as they were given, in their order, with how messages call the list and what is in it. */
export interface Entries extends Place {
	entries: IDataObject[];
}

interface ListSpec {
	/** `recipients` gives the parameters `recipientsInput` and `recipientsJson`. */
	name: string;
	displayName: string;
	/** What an entry may hold, wherever it comes from. */
	values: readonly Value[];
	/** What the editor shows of the parameter that takes JSON. */
	json: Partial<INodeProperties>;
}

/** The other way to give the list, and the parameter for it. */
interface Form {
	option: INodePropertyOptions & { value: string };
	property: INodeProperties;
	/** What a row of it is called, if it has rows. */
	row?: string;
}

/** A list that is filled in as a form, or handed over as JSON. */
export class EntryList {
	/** The choice between the two, and a parameter for each. */
	readonly description: [choice: Shown, form: Shown, json: Shown];

	private readonly mode: Value<string, string>;

	private readonly json: INodeProperties;

	constructor(
		private readonly list: ListSpec,
		private readonly form: Form,
	) {
		const { name, displayName, json } = list;
		const asJson = { name: 'Using JSON', value: 'json', description: 'Provide the full list as JSON or an expression' };
		const shownFor = (mode: string) => ({ displayOptions: { show: { [`${name}Input`]: [mode] } } });
		this.mode = choice(`${name}Input`, `Specify ${displayName}`, {
			options: [form.option, asJson],
			default: form.option.value,
			description: `How to enter the ${displayName.toLowerCase()}: in a form, or all at once as a list, for example from an earlier node`,
		});
		this.json = {
			displayName: `${displayName} (JSON)`,
			name: `${name}Json`,
			type: 'json',
			default: '[]',
			typeOptions: { rows: 6 },
			...shownFor('json'),
			...json,
		};
		const shown = { ...form.property, ...shownFor(form.option.value) };
		this.description = [this.mode, { property: shown }, { property: this.json }];
	}

	/** Whether the item gives the list as JSON. */
	isJson(item: Item): boolean {
		return item.read(this.mode) === 'json';
	}

	/**
	 * The entries of one item, each checked by the rules. What is wrong is added to the problems; the entries then may be
	 * incomplete, but keep their places. Undefined when what was given as JSON is no list.
	 */
	read(item: Item): Entries | undefined {
		const json = this.isJson(item);
		const { displayName: label } = json ? this.json : this.form.property;
		const list = json
			? jsonList(item.given(this.json), this.list.name, item.problems.at(label))
			: rowsOf(item.given(this.form.property), this.form.row ?? '').map(wholeRow);
		const entries = list?.map((entry, index) =>
			checkObject(entry, this.list.values, { label: `${label} > ${index + 1}`, json }, item),
		);
		return entries && { label, json, entries };
	}
}

interface RowsSpec extends ListSpec {
	/** What an entry may hold beside: rarely used, and in a collection of its own in the form. */
	more?: readonly Value[];
	row: { name: string; displayName: string };
	placeholder?: string;
	description: string;
}

/** A list that is filled in row by row, or handed over as JSON. */
export function listOfRows({ more = [], row, placeholder, description, ...list }: RowsSpec): EntryList {
	const { name, displayName, values } = list;
	const beside = new Collection('additionalFields', 'Options', more, { placeholder: 'Add Option' });
	const columns: readonly Shown[] = more.length > 0 ? [...values, beside] : values;
	const property: INodeProperties = {
		displayName,
		name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: placeholder ?? `Add ${row.displayName}`,
		default: {},
		description,
		options: [{ ...row, values: columns.map((column) => column.property) }],
	};
	const option = { name: `Using ${displayName} Below`, value: 'form', description: 'Fill in one after the other' };
	return new EntryList({ ...list, values: [...values, ...more] }, { option, property, row: row.name });
}

/** A row with the values that the form keeps in a collection of their own. */
function wholeRow({ value, raw, ...rest }: Given): Given {
	return { ...rest, value: together(value), raw: together(raw) };
}

function together(row: unknown): IDataObject {
	const { additionalFields, ...values } = Object(row) as IDataObject;
	return { ...values, ...(additionalFields as IDataObject | undefined) };
}
