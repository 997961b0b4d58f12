import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { rowsOf, type Given } from './checks/given';
import { jsonList } from './checks/jsonInput';
import { checkObject, type Place } from './checks/rules';
import { choice, rulesOf, type Value } from './declare';
import type { Item, Parameter, Shown } from './item';

/** The entries as they were given, in their order, with the label by which messages call the list. */
export interface Entries {
	label: string;
	entries: IDataObject[];
}

interface JsonListSpec {
	/** `recipients` gives the parameters `recipientsInput` and `recipientsJson`. */
	name: string;
	displayName: string;
	/** What an entry may hold, wherever it comes from. */
	values: readonly Value[];
	json: Pick<INodeProperties, 'placeholder' | 'hint' | 'description'>;
}

/** The other way to give the list, and the parameter for it. */
interface Form {
	option: INodePropertyOptions & { value: string };
	property: INodeProperties;
}

/** A list that is filled in as a form, or handed over as JSON. */
export class JsonList {
	/** The choice between the two, and a parameter for each. */
	readonly description: Shown[];

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
		const rules = rulesOf(this.spec.values);
		const entries = list.map((entry, index) =>
			checkObject(entry, rules, { label: `${label} > ${index + 1}`, json }, problems),
		);
		return { label, entries };
	}
}

interface EntryListSpec extends JsonListSpec {
	row: { name: string; displayName: string };
	description: string;
}

/** A list that is filled in row by row, or handed over as JSON. */
export class EntryList extends JsonList implements Parameter<Entries | undefined> {
	readonly property: INodeProperties;

	private readonly row: string;

	constructor({ row, description, ...spec }: EntryListSpec) {
		const { name, displayName } = spec;
		const property: INodeProperties = {
			displayName,
			name,
			type: 'fixedCollection',
			typeOptions: { multipleValues: true, sortable: true },
			placeholder: `Add ${row.displayName}`,
			default: {},
			description,
			options: [{ ...row, values: spec.values.map((value) => value.property) }],
		};
		const option = { name: `Using ${displayName} Below`, value: 'form', description: 'Fill in one after the other' };
		super(spec, { option, property });
		this.property = property;
		this.row = row.name;
	}

	/** As `readJson`, from whichever of the two the item gives. */
	read(item: Item): Entries | undefined {
		if (this.isJson(item)) return this.readJson(item);
		const { name, displayName: label } = this.spec;
		return this.check(item, rowsOf(item.given(name), this.row), { label, json: false });
	}
}
