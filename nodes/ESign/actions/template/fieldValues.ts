import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { LENGTH } from '../../service/limits';
import { hintAt, listed } from '../hints';
import { foundNothing, partOf, type Given } from '../../parameters/checks/given';
import { refusedForGlue } from '../../parameters/checks/glued';
import type { Problems } from '../../parameters/checks/problems';
import { charactersOf } from '../../parameters/checks/values';
import { prefillText } from './prefillText';
import { readMapper, type StoredField, type TemplateFields } from './templateFields';

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

/** The values of the fields by their keys, as text; fields left empty are for the signer to fill. */
export async function readFieldValues(
	context: IExecuteFunctions,
	itemIndex: number,
	templateId: string,
	problems: Problems,
): Promise<IDataObject> {
	const mapped = await readMapper(context, itemIndex, fieldValues.name, templateId, problems);
	if (!mapped) return {};
	const { automatic, values, schema, read } = mapped;
	const fields = read?.fields ?? new Map(schema.map(({ id, kind }) => [id, kind]));
	const given = automatic
		? [...fields.keys()].map((key) => [key, partOf(values, key)] as const)
		: shownValues(values, schema);
	return readValues(context, given, { fields, isRead: read !== undefined }, problems);
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
		if (refusedForGlue(one, parameter, problems)) continue;
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
