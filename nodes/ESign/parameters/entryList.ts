import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { rowsOf, type Given } from './checks/given';
import { jsonList } from './checks/jsonInput';
import { checkObject, type Place } from './checks/rules';
import { choice, Collection, rulesOf, type Value } from './declare';
import type { Item, Parameter, Shown } from './item';

/** The entries as they were given, in their order, with how messages call the list and what is in it. */
export interface Entries extends Place {
	entries: IDataObject[];
}

interface JsonListSpec {
	/** `recipients` gives the parameters `recipientsInput` and `recipientsJson`. */
	name: string;
	displayName: string;
	/** What an entry may hold, wherever it comes from. */
	values: readonly Value[];
	/** What it may hold beside: rarely used, and in a collection of its own in the form. */
	more?: readonly Value[];
	json: Pick<INodeProperties, 'placeholder' | 'hint' | 'description' | 'typeOptions'>;
}

/** The other way to give the list, and the parameter for it. */
interface Form {
	option: INodePropertyOptions & { value: string };
	property: INodeProperties;
}

/** A list that is filled in as a form, or handed over as JSON. */
export class JsonList {
	/** The choice between the two, and a parameter for each. */
	readonly description: [choice: Shown, form: Shown, json: Shown];

	private readonly mode: Value<string, string>;

	private readonly jsonLabel: string;

	constructor(
		protected readonly spec: JsonListSpec,
		{ option, property }: Form,
	) {
		const { name, displayName, json } = spec;
		this.jsonLabel = `${displayName} (JSON)`;
		this.mode = choice(`${name}Input`, `Specify ${displayName}`, {
			options: [
				option,
				{ name: 'Using JSON', value: 'json', description: 'Provide the full list as JSON or an expression' },
			],
			default: option.value,
			description: `How to enter the ${displayName.toLowerCase()}: in a form, or all at once as a list, for example from an earlier node`,
		});
		const shownFor = (mode: string) => ({ displayOptions: { show: { [`${name}Input`]: [mode] } } });
		const asJson: INodeProperties = { displayName: this.jsonLabel, name: `${name}Json`, type: 'json', default: '[]' };
		this.description = [
			this.mode,
			{ property: { ...property, ...shownFor(option.value) } },
			{ property: { ...asJson, typeOptions: { rows: 6 }, ...shownFor('json'), ...json } },
		];
	}

	/** Whether the item gives the list as JSON. */
	isJson(item: Item): boolean {
		return item.read(this.mode) === 'json';
	}

	/**
	 * The entries of the JSON of one item, each checked by the rules. What is wrong is added to the problems; the entries then
	 * may be incomplete, but keep their places. Undefined when what was given is no list.
	 */
	readJson(item: Item): Entries | undefined {
		const { name } = this.spec;
		const list = jsonList(item.given(`${name}Json`), this.jsonLabel, name, item.problems);
		return list && this.check(item, list, { label: this.jsonLabel, json: true });
	}

	protected check({ problems }: Item, list: readonly Given[], { label, json }: Place): Entries {
		const { values, more = [] } = this.spec;
		const rules = rulesOf([...values, ...more]);
		const entries = list.map((entry, index) =>
			checkObject(entry, rules, { label: `${label} > ${index + 1}`, json }, problems),
		);
		return { label, json, entries };
	}
}

interface EntryListSpec extends JsonListSpec {
	row: { name: string; displayName: string };
	placeholder?: string;
	description: string;
}

/** A list that is filled in row by row, or handed over as JSON. */
export class EntryList extends JsonList implements Parameter<Entries | undefined> {
	readonly property: INodeProperties;

	private readonly row: string;

	constructor({ row, placeholder = `Add ${row.displayName}`, description, ...spec }: EntryListSpec) {
		const { name, displayName, values, more } = spec;
		const columns = more
			? [...values, new Collection('additionalFields', 'Options', more, { placeholder: 'Add Option' })]
			: values;
		const property: INodeProperties = {
			displayName,
			name,
			type: 'fixedCollection',
			typeOptions: { multipleValues: true, sortable: true },
			placeholder,
			default: {},
			description,
			options: [{ ...row, values: columns.map((column) => column.property) }],
		};
		const option = { name: `Using ${displayName} Below`, value: 'form', description: 'Fill in one after the other' };
		super(spec, { option, property });
		this.property = property;
		this.row = row.name;
	}

	/** As `readJson`, from whichever of the two the item gives. */
	read(item: Item): Entries | undefined {
		if (this.isJson(item)) return this.readJson(item);
		const { name, displayName: label, more } = this.spec;
		const rows = rowsOf(item.given(name), this.row);
		return this.check(item, more ? rows.map(wholeRow) : rows, { label, json: false });
	}
}

/** A row with the values that the form keeps in a collection of their own. */
function wholeRow({ value, raw }: Given): Given {
	return { value: together(value), raw: together(raw) };
}

function together(row: unknown): IDataObject {
	const { additionalFields, ...values } = Object(row) as IDataObject;
	return { ...values, ...(additionalFields as IDataObject | undefined) };
}
