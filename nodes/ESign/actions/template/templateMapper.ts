import type { IDataObject, INodeProperties, ResourceMapperField } from 'n8n-workflow';
import { isObject } from '../../client';
import {
	describe,
	isNothing,
	partOf,
	type ParameterValue,
	type Item,
	type Shown,
} from '../../operation';

/** What a form stores of a field: beside what n8n knows, whose it is. */
export interface StoredField extends ResourceMapperField {
	templateId: string;
}

/**
 * What a form mapped for the chosen template: one value after the other, or automatically by the
 * item's own fields.
 */
export interface Mapped {
	automatic: boolean;
	/** What the form holds and counts, or the item. */
	values: ParameterValue;
	/** The fields that the editor stored, when it knew the template. */
	schema: StoredField[];
}

/** A form whose rows are what the chosen template asks for. */
export class TemplateMapper implements Shown {
	readonly property: INodeProperties;

	/**
	 * @param resourceMapperMethod the one of methods/resourceMapping.ts that gives the rows
	 * @param fieldWords what a row is called, and several of them
	 */
	constructor(
		readonly name: string,
		readonly label: string,
		resourceMapperMethod: string,
		fieldWords: { singular: string; plural: string },
		description: string,
	) {
		this.property = {
			displayName: label,
			name,
			type: 'resourceMapper',
			noDataExpression: true,
			default: { mappingMode: 'defineBelow', value: null },
			typeOptions: {
				loadOptionsDependsOn: ['templateId.value'],
				resourceMapper: {
					resourceMapperMethod,
					valuesLabel: label,
					mode: 'add',
					fieldWords,
					addAllFields: true,
					supportAutoMap: true,
					// What there is to say stands in the notice that comes with an empty list of fields.
					hideNoDataError: true,
					refreshStaleSchemaOnOpen: true,
				},
			},
			description,
		};
	}

	read(item: Item): Mapped {
		// Read as a whole: asked for its values alone, n8n would turn text into dates by guessing.
		const mapper = item.given(this.property);
		if (!isOfForm(mapper.value)) {
			const held = typeof mapper.value === 'string' ? 'text' : describe(mapper.value);
			return item.refuse(
				this.label,
				`is ${held}, not what its form holds`,
				`A program that writes the workflow puts an object of names and values under ${this.name}.value`,
			);
		}
		const { mappingMode, schema: stored } = Object(mapper.value) as {
			mappingMode?: unknown;
			schema?: unknown;
		};
		const schema = (Array.isArray(stored) ? stored : []) as StoredField[];
		const automatic = mappingMode === 'autoMapInputData';
		if (automatic) return { automatic, values: { value: item.input.json }, schema };

		const values = partOf(mapper, 'value');
		const counting = { ...(values.value as IDataObject | null) };
		// The editor keeps the value of a field that was taken out of the form.
		for (const field of schema) if (field.removed) delete counting[field.id];
		return { automatic, values: { ...values, value: counting }, schema };
	}
}

/** What the form holds a value for, or the fields of the item. */
export function namesIn({ value }: ParameterValue): string[] {
	return Object.keys(Object(value) as object);
}

/**
 * Whether it is what n8n's editor stores of such a form. What a program wrote in another way would
 * be lost in silence.
 *
 * | holds                                              | is of the form       |
 * | `{ mappingMode: 'defineBelow', value: { a: 'x' } }` | yes                  |
 * | `{ mappingMode: 'autoMapInputData', value: null }`  | yes                  |
 * | nothing, `{}`                                       | yes: nothing is lost |
 * | `{ a: 'x' }`                                        | no                   |
 * | `[{ a: 'x' }]`, text                                | no                   |
 * | `{ mappingMode: 'defineBelow', value: [...] }`      | no                   |
 */
function isOfForm(held: unknown): boolean {
	if (isNothing(held)) return true;
	if (!isObject(held)) return false;
	const { mappingMode, value } = held;
	if (!isNothing(value)) return isObject(value);
	return mappingMode !== undefined || Object.keys(held).every((key) => key === 'value');
}
