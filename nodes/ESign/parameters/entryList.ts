import type { IDataObject, IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { givenParameter, rowsOf } from './checks/given';
import { jsonList } from './checks/jsonInput';
import type { Problems } from './checks/problems';
import { checkObject, checkValue, type PropertyRules } from './checks/rules';

/** The entries as they were given, in their order, with the label by which messages call the list. */
export interface Entries {
	label: string;
	entries: IDataObject[];
}

interface JsonListSpec {
	/** `recipients` gives the parameters `recipientsInput` and `recipientsJson`. */
	name: string;
	displayName: string;
	/** The other way to give the list, and the parameter for it. */
	form: { option: INodePropertyOptions & { value: string }; parameter: INodeProperties };
	/** What an entry may hold, wherever it comes from. */
	rules: PropertyRules;
	json: Pick<INodeProperties, 'placeholder' | 'hint' | 'description'>;
}

/** A list that is filled in as a form, or handed over as JSON. */
export class JsonList {
	/** The choice between the two, and a parameter for each. */
	readonly description: INodeProperties[];

	private readonly label: string;

	constructor(private readonly spec: JsonListSpec) {
		const { name, displayName, form } = spec;
		const preset = form.option.value;
		this.label = `${displayName} (JSON)`;
		const shownFor = (mode: string) => ({ displayOptions: { show: { [`${name}Input`]: [mode] } } });
		this.description = [
			{
				displayName: `Specify ${displayName}`,
				name: `${name}Input`,
				type: 'options',
				options: [
					form.option,
					{ name: 'Using JSON', value: 'json', description: 'Provide the full list as JSON or an expression' },
				],
				default: preset,
				description: `How to enter the ${displayName.toLowerCase()}: in a form, or all at once as a list, for example from an earlier node`,
			},
			{ ...form.parameter, ...shownFor(form.option.value) },
			{
				displayName: this.label,
				name: `${name}Json`,
				type: 'json',
				typeOptions: { rows: 6 },
				default: '[]',
				...shownFor('json'),
				...spec.json,
			},
		];
	}

	/** Whether the item gives the list as JSON. */
	isJson(context: IExecuteFunctions, itemIndex: number, problems: Problems): boolean {
		const { name, displayName, form } = this.spec;
		const mode = checkValue(
			givenParameter(context, itemIndex, `${name}Input`),
			{ label: displayName, type: 'choice', choices: [String(form.option.value), 'json'] },
			`Specify ${displayName}`,
			problems,
		);
		return mode === 'json';
	}

	/**
	 * The entries of the JSON of one item, each checked by the rules. What is wrong is added to `problems`; the entries then
	 * may be incomplete, but keep their places. Undefined when what was given is no list.
	 */
	readJson(context: IExecuteFunctions, itemIndex: number, problems: Problems): Entries | undefined {
		const { name, rules } = this.spec;
		const { label } = this;
		const list = jsonList(givenParameter(context, itemIndex, `${name}Json`), label, name, problems);
		const entries = list?.map((entry, index) =>
			checkObject(entry, rules, { label: `${label} > ${index + 1}`, json: true }, problems),
		);
		return entries && { label, entries };
	}
}

interface EntryListSpec extends Omit<JsonListSpec, 'form'> {
	row: { name: string; displayName: string };
	/** What a row of the form shows. */
	values: INodeProperties[];
	description: string;
}

/** A list that is filled in row by row, or handed over as JSON. */
export class EntryList {
	readonly description: INodeProperties[];

	private readonly list: JsonList;

	constructor(private readonly spec: EntryListSpec) {
		const { name, displayName, row, values, description } = spec;
		const parameter: INodeProperties = {
			displayName,
			name,
			type: 'fixedCollection',
			typeOptions: { multipleValues: true, sortable: true },
			placeholder: `Add ${row.displayName}`,
			default: {},
			description,
			options: [{ ...row, values }],
		};
		const option = { name: `Using ${displayName} Below`, value: 'form', description: 'Fill in one after the other' };
		this.list = new JsonList({ ...spec, form: { option, parameter } });
		this.description = this.list.description;
	}

	/** As `readJson`, from whichever of the two the item gives. */
	read(context: IExecuteFunctions, itemIndex: number, problems: Problems): Entries | undefined {
		if (this.list.isJson(context, itemIndex, problems)) return this.list.readJson(context, itemIndex, problems);
		const { name, displayName: label, row, rules } = this.spec;
		const entries = rowsOf(givenParameter(context, itemIndex, name), row.name).map((entry, index) =>
			checkObject(entry, rules, { label: `${label} > ${index + 1}`, json: false }, problems),
		);
		return { label, entries };
	}
}
