import type { IDataObject, IExecuteFunctions, INodeProperties, ResourceMapperField } from 'n8n-workflow';
import { LENGTH } from '../../service/limits';
import { foundNothing, givenParameter, partOf, type Given } from '../parameters/checks/given';
import type { Problems } from '../parameters/checks/problems';
import { charactersOf } from '../parameters/checks/rules';
import { fieldHint } from './fieldHint';
import { prefillText } from './prefillText';
import { readTemplate, storedFields, storedFieldsApply, type TemplateFields } from './templateFields';

export const fieldValues: INodeProperties = {
	displayName: 'Field Values',
	name: 'fieldValues',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	// Before a template is chosen the editor would call its missing fields an error.
	displayOptions: { hide: { templateId: [''] } },
	typeOptions: {
		loadOptionsDependsOn: ['templateId.value'],
		resourceMapper: {
			resourceMapperMethod: 'getTemplateFields',
			valuesLabel: 'Field Values',
			mode: 'add',
			fieldWords: { singular: 'field', plural: 'fields' },
			addAllFields: true,
			multiKeyMatch: false,
			supportAutoMap: true,
			noFieldsError: 'This template has no fields that can be prefilled',
		},
	},
	description:
		'Values to write into the document. The signer cannot change them; leave a field empty to have it filled by the signer.',
};

/**
 * The values of the fields by their keys, as text; fields left empty are for the signer to fill. Read after everything
 * else: when an expression names the template and the values are mapped automatically, it takes a request to know the
 * template's fields.
 */
export async function readFieldValues(
	context: IExecuteFunctions,
	itemIndex: number,
	templateId: string,
	problems: Problems,
): Promise<IDataObject> {
	// Read as a whole: asked for its values alone, n8n would turn text into dates by guessing.
	const mapper = givenParameter(context, itemIndex, fieldValues.name, { fallback: {} });
	const { mappingMode, schema: stored } = Object(mapper.value) as { mappingMode?: unknown; schema?: unknown };
	const schema = (Array.isArray(stored) ? stored : []) as ResourceMapperField[];
	if (mappingMode !== 'autoMapInputData') {
		const given = shownValues(partOf(mapper, 'value'), schema);
		return readValues(context, given, storedFields(schema), problems);
	}
	const known = schema.length > 0 && storedFieldsApply(context, itemIndex);
	if (!known && problems.any) return {};
	const fields = known ? storedFields(schema) : (await readTemplate(context, itemIndex, templateId)).fields;
	const { json = {} } = context.getInputData()[itemIndex] ?? {};
	const given = [...fields.keys()].map((key) => [key, partOf({ value: json }, key)] as const);
	return readValues(context, given, fields, problems);
}

/** The values of the form, without those that the editor keeps of a field that was not added or was removed. */
function shownValues(values: Given, schema: readonly ResourceMapperField[]): Array<readonly [string, Given]> {
	const removed = new Set(schema.filter((field) => field.removed).map(({ id }) => id));
	return Object.keys(Object(values.value) as object)
		.filter((key) => !removed.has(key))
		.map((key) => [key, partOf(values, key)]);
}

function readValues(
	context: IExecuteFunctions,
	given: ReadonlyArray<readonly [string, Given]>,
	fields: TemplateFields,
	problems: Problems,
): IDataObject {
	const values: Array<[string, string]> = [];
	for (const [key, one] of given) {
		const parameter = `${fieldValues.displayName} > ${key}`;
		const prefill = prefillText(one.value, fields.get(key), context.getTimezone());
		if ('what' in prefill) {
			problems.add(parameter, prefill.what, prefill.remedy);
			continue;
		}
		const characters = charactersOf(prefill.text);
		if (characters > LENGTH.fieldValue) {
			problems.add(parameter, `has ${characters} characters`, `Shorten it to ${LENGTH.fieldValue} at most`);
		} else if (prefill.text !== '') {
			values.push([key, prefill.text]);
			if (fields.size > 0 && !fields.has(key)) fieldHint(context, 'unknown', key);
		} else if (foundNothing(one)) {
			fieldHint(context, 'open', key);
		}
	}
	return Object.fromEntries(values);
}
