import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { rowsOf, type Given } from './checks/given';
import { jsonList } from './checks/jsonList';
import { checkObject, type Place } from './checks/rules';
import { choice, Collection, type Value } from './declare';
import type { Item, Parameter, Shown } from './item';

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

	private readonly json: INodeProperties;

	constructor(
		private readonly list: ListSpec,
		{ option, property }: Form,
	) {
		const { name, displayName, json } = list;
		const shownFor = (mode: string) => ({ displayOptions: { show: { [`${name}Input`]: [mode] } } });
		this.mode = choice(`${name}Input`, `Specify ${displayName}`, {
			options: [
				option,
				{ name: 'Using JSON', value: 'json', description: 'Provide the full list as JSON or an expression' },
			],
			default: option.value,
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
		this.description = [this.mode, { property: { ...property, ...shownFor(option.value) } }, { property: this.json }];
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
		const label = this.json.displayName;
		const list = jsonList(item.given(this.json), this.list.name, item.problems.at(label));
		return list && this.check(item, list, { label, json: true });
	}

	protected check(item: Item, list: readonly Given[], { label, json }: Place): Entries {
		const entries = list.map((entry, index) =>
			checkObject(entry, this.list.values, { label: `${label} > ${index + 1}`, json }, item),
		);
		return { label, json, entries };
	}
}

interface EntryListSpec extends ListSpec {
	/** What an entry may hold beside: rarely used, and in a collection of its own in the form. */
	more?: readonly Value[];
	row: { name: string; displayName: string };
	placeholder?: string;
	description: string;
}

/** A list that is filled in row by row, or handed over as JSON. */
export class EntryList extends JsonList implements Parameter<Entries | undefined> {
	readonly property: INodeProperties;

	constructor(private readonly spec: EntryListSpec) {
		const { name, displayName, row, placeholder = `Add ${row.displayName}`, description, values, more = [] } = spec;
		const beside = new Collection('additionalFields', 'Options', more, { placeholder: 'Add Option' });
		const columns: readonly Shown[] = spec.more ? [...values, beside] : values;
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
		super({ ...spec, values: [...values, ...more] }, { option, property });
		this.property = property;
	}

	/** As `readJson`, from whichever of the two the item gives. */
	read(item: Item): Entries | undefined {
		if (this.isJson(item)) return this.readJson(item);
		const rows = rowsOf(item.given(this.property), this.spec.row.name);
		const place = { label: this.property.displayName, json: false };
		return this.check(item, this.spec.more ? rows.map(wholeRow) : rows, place);
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
