import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { givenParameter, rowsOf } from './checks/given';
import { jsonList } from './checks/jsonInput';
import type { Problems } from './checks/problems';
import { checkObject, checkValue, type PropertyRules } from './checks/rules';

/** The entries as they were given, in their order, with the label by which messages call the list. */
export interface Entries {
	label: string;
	entries: IDataObject[];
}

interface EntryListSpec {
	/** Name of the form, for example `recipients`; `recipientsInput` and `recipientsJson` go with it. */
	name: string;
	displayName: string;
	/** Name and label of a row, for example `recipient` and `Recipient`. */
	row: { name: string; displayName: string };
	/** What a row of the form shows. */
	values: INodeProperties[];
	/** What an entry may hold, wherever it comes from. */
	rules: PropertyRules;
	description: string;
	json: Pick<INodeProperties, 'placeholder' | 'hint' | 'description'>;
}

/** A list that is filled in row by row, or handed over as JSON. */
export class EntryList {
	/** The choice between the two, and a parameter for each. */
	readonly description: INodeProperties[];

	private readonly labels: { form: string; json: string };

	constructor(private readonly spec: EntryListSpec) {
		const { name, displayName, row, values } = spec;
		const shownFor = (mode: string) => ({ show: { [`${name}Input`]: [mode] } });
		this.labels = { form: displayName, json: `${displayName} (JSON)` };
		const form = {
			name: `Using ${displayName} Below`,
			value: 'form',
			description: 'Fill in one entry after the other',
		};
		const json = { name: 'Using JSON', value: 'json', description: 'Enter the whole list as JSON or as an expression' };
		this.description = [
			{
				displayName: `Specify ${displayName}`,
				name: `${name}Input`,
				type: 'options',
				options: [form, json],
				default: 'form',
				description:
					'How to enter the entries: one by one in a form, or all at once as a list, for example from an earlier node',
			},
			{
				displayName: this.labels.form,
				name,
				type: 'fixedCollection',
				typeOptions: { multipleValues: true, sortable: true },
				placeholder: `Add ${row.displayName}`,
				default: {},
				displayOptions: shownFor('form'),
				description: spec.description,
				options: [{ ...row, values }],
			},
			{
				displayName: this.labels.json,
				name: `${name}Json`,
				type: 'json',
				typeOptions: { rows: 6 },
				default: '[]',
				displayOptions: shownFor('json'),
				...spec.json,
			},
		];
	}

	/**
	 * The entries of one item, each checked by the rules. What is wrong is added to `problems`; the entries then may be
	 * incomplete, but keep their places. Undefined when what was given is no list.
	 */
	read(context: IExecuteFunctions, itemIndex: number, problems: Problems): Entries | undefined {
		const { name, displayName, row, rules } = this.spec;
		const mode = checkValue(
			givenParameter(context, itemIndex, `${name}Input`),
			{ label: displayName, type: 'choice', choices: ['form', 'json'] },
			`Specify ${displayName}`,
			problems,
		);
		const json = mode === 'json';
		const label = json ? this.labels.json : this.labels.form;
		const list = json
			? jsonList(givenParameter(context, itemIndex, `${name}Json`), label, name, problems)
			: rowsOf(givenParameter(context, itemIndex, name), row.name);
		const entries = list?.map((entry, index) =>
			checkObject(entry, rules, { label: `${label} > ${index + 1}`, json }, problems),
		);
		return entries && { label, entries };
	}
}
