import type { IDataObject, INodeProperties, ResourceMapperField } from 'n8n-workflow';
import {
	partOf,
	templateLocator,
	type ParameterValue,
	type Item,
	type Shown,
} from '../../operation/parameters';
import type { PrefillKind } from '../../service/prefill';
import { readTemplate, type TemplateReading } from './templateFields';

/**
 * What a form stores of a field: beside what n8n knows, whose it is, and what the field of a
 * template takes.
 */
export interface StoredField extends ResourceMapperField {
	templateId: string;
	kind?: PrefillKind;
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
	/** The template, if what the editor stored does not tell. */
	read?: TemplateReading;
}

/** A form whose rows are what the chosen template asks for. */
export class TemplateMapper implements Shown {
	readonly property: INodeProperties;

	/** @param method the one of methods/resourceMapping.ts that gives the rows */
	constructor(
		readonly name: string,
		readonly label: string,
		{
			method,
			words,
			description,
		}: { method: string; words: [string, string]; description: string },
	) {
		const [singular, plural] = words;
		this.property = {
			displayName: label,
			name,
			type: 'resourceMapper',
			noDataExpression: true,
			default: { mappingMode: 'defineBelow', value: null },
			typeOptions: {
				loadOptionsDependsOn: ['templateId.value'],
				resourceMapper: {
					resourceMapperMethod: method,
					valuesLabel: label,
					mode: 'add',
					fieldWords: { singular, plural },
					addAllFields: true,
					multiKeyMatch: false,
					supportAutoMap: true,
					// What there is to say stands in the notice that comes with an empty list of fields.
					hideNoDataError: true,
					refreshStaleSchemaOnOpen: true,
				},
			},
			description,
		};
	}

	/**
	 * Read after everything else: when an expression names the template and the values are mapped
	 * automatically, it takes a request to know the template. Undefined if that request would be
	 * spent on an item that is refused anyway.
	 */
	async read(item: Item, templateId: string): Promise<Mapped | undefined> {
		// Read as a whole: asked for its values alone, n8n would turn text into dates by guessing.
		const mapper = item.given(this.property);
		const { mappingMode, schema: stored } = Object(mapper.value) as {
			mappingMode?: unknown;
			schema?: unknown;
		};
		const schema = (Array.isArray(stored) ? stored : []) as StoredField[];
		const automatic = mappingMode === 'autoMapInputData';
		// An expression may name a template per item: the values of the form are sent as they are,
		// without reading each.
		const mustKnow = automatic || (schema.length > 0 && !isNamedByExpression(item));
		// They differ when another template was chosen and the editor has not read its fields, which it
		// leaves out while an expression of the form has no data.
		const isStored = schema.length > 0 && schema.every((field) => field.templateId === templateId);
		if (mustKnow && !isStored && item.problems.any) return undefined;
		const read = mustKnow && !isStored ? await readTemplate(item, templateId) : undefined;
		if (automatic) return { automatic, values: { value: item.input.json }, schema, read };
		const values = partOf(mapper, 'value');
		const counting = { ...(values.value as IDataObject | null) };
		// The editor keeps the value of a field that was taken out of the form.
		for (const field of schema) if (field.removed) delete counting[field.id];
		return { automatic, values: { ...values, value: counting }, schema, read };
	}
}

/**
 * Whether an expression names the template: the editor then stores the fields of the template of
 * its preview, if any.
 */
function isNamedByExpression(item: Item): boolean {
	const { raw } = item.given(templateLocator.property);
	return typeof raw === 'string' && raw.startsWith('=');
}
