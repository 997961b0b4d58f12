import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { LENGTH } from '../../service/limits';
import { hintAt, listed } from '../hints';
import { foundNothing, givenParameter, partOf, type Given } from '../parameters/checks/given';
import type { Problems } from '../parameters/checks/problems';
import { charactersOf } from '../parameters/checks/values';
import { prefillText } from './prefillText';
import {
	isNamedByExpression,
	readTemplate,
	storedFields,
	type StoredField,
	storedFieldsApply,
	type TemplateFields,
} from './templateFields';

export const fieldValues: INodeProperties = {
	displayName: 'Field Values',
	name: 'fieldValues',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
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
			// What there is to say stands in the notice that comes with an empty list of fields.
			hideNoDataError: true,
			refreshStaleSchemaOnOpen: true,
		},
	},
	description:
		'Values to write into the document, by the name of the field. The signer cannot change them; leave a field empty to have it filled by the signer. A date is written as 2026-12-31. Of date and email fields only custom ones take a value.',
};

const LEFT_OPEN = (keys: readonly string[]) =>
	`Field Values: left to the signer, because the expression found nothing: ${listed(keys)}`;

const UNKNOWN = (keys: readonly string[]) =>
	`Field Values: the editor does not know these fields of the template, and the service ignores values of fields that do not exist: ${listed(keys)}`;

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
	const schema = (Array.isArray(stored) ? stored : []) as StoredField[];
	const automatic = mappingMode === 'autoMapInputData';
	// An expression may name a template per item: the values of the form are sent as they are, without reading each.
	const mustKnow = automatic || (schema.length > 0 && !isNamedByExpression(context, itemIndex));
	const isRead = mustKnow && !storedFieldsApply(templateId, schema);
	if (isRead && problems.any) return {};
	const fields = isRead ? (await readTemplate(context, itemIndex, templateId)).fields : storedFields(schema);
	if (!automatic) {
		const given = shownValues(partOf(mapper, 'value'), schema);
		return readValues(context, given, { fields, isRead }, problems);
	}
	const { json = {} } = context.getInputData()[itemIndex] ?? {};
	const given = [...fields.keys()].map((key) => [key, partOf({ value: json }, key)] as const);
	return readValues(context, given, { fields, isRead }, problems);
}

/** The values of the form, without those that the editor keeps of a field that was not added or was removed. */
function shownValues(values: Given, schema: readonly StoredField[]): Array<readonly [string, Given]> {
	const removed = new Set(schema.filter((field) => field.removed).map(({ id }) => id));
	return Object.keys(Object(values.value) as object)
		.filter((key) => !removed.has(key))
		.map((key) => [key, partOf(values, key)]);
}

function readValues(
	context: IExecuteFunctions,
	given: ReadonlyArray<readonly [string, Given]>,
	{ fields, isRead }: { fields: TemplateFields; isRead: boolean },
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
		} else if (prefill.text !== '' && isRead && !fields.has(key)) {
			const what = 'the template that is chosen now has no such field';
			problems.add(parameter, what, 'Close and open the node to see its fields, and fill them in');
		} else if (prefill.text !== '') {
			values.push([key, prefill.text]);
			if (fields.size > 0 && !fields.has(key)) hintAt(context, UNKNOWN, key);
		} else if (foundNothing(one)) {
			hintAt(context, LEFT_OPEN, key);
		}
	}
	return Object.fromEntries(values);
}
