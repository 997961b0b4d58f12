import {
	tryToParseDateTime,
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
	type ResourceMapperField,
} from 'n8n-workflow';
import type { Problems } from '../parameters/problems';

/** docs/service.md section 4 */
const MOST_CHARACTERS = 2000;

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

/** The values of the fields by their keys, as text; fields left empty are for the signer to fill. */
export function readFieldValues(context: IExecuteFunctions, itemIndex: number, problems: Problems): IDataObject {
	const mapper = context.getNodeParameter(fieldValues.name, itemIndex, {}) as IDataObject;
	const schema = (mapper.schema ?? []) as unknown as ResourceMapperField[];
	const given =
		mapper.mappingMode === 'autoMapInputData'
			? onlyKnown(context.getInputData()[itemIndex]?.json ?? {}, schema)
			: ((mapper.value ?? {}) as IDataObject);
	const values: IDataObject = {};
	for (const [key, value] of Object.entries(given)) {
		const field = schema.find(({ id }) => id === key);
		// The editor keeps the value `false` of a checkbox that was not added, or was removed.
		if (field?.removed && mapper.mappingMode !== 'autoMapInputData') continue;
		const text = textOf(value, field?.type === 'dateTime', context.getTimezone());
		if (text.length > MOST_CHARACTERS) {
			const what = `has ${text.length} characters`;
			problems.add(`${fieldValues.displayName} > ${key}`, what, `Shorten it to ${MOST_CHARACTERS} at most`);
		} else if (text !== '') {
			values[key] = text;
		}
	}
	return values;
}

function onlyKnown(json: IDataObject, schema: readonly ResourceMapperField[]): IDataObject {
	return Object.fromEntries(schema.filter(({ id }) => Object.hasOwn(json, id)).map(({ id }) => [id, json[id]]));
}

/** Text as the service reads it (docs/service.md section 10, 25): a tick is `true` or `false`, a date YYYY-MM-DD. */
function textOf(value: unknown, isDate: boolean, timezone: string): string {
	if (value === undefined || value === null || value === '') return '';
	if (isDate || typeof value === 'object') return dateText(value, timezone);
	return String(value);
}

/** The calendar day of a value in the timezone it is written in, or else in that of the workflow. */
function dateText(value: unknown, timezone: string): string {
	const day = typeof value === 'string' ? /^\d{4}-\d{2}-\d{2}(?=$|T|\s)/.exec(value.trim())?.[0] : undefined;
	if (day !== undefined) return day;
	try {
		return tryToParseDateTime(value, timezone).toISODate() ?? String(value);
	} catch {
		// Not a date: the service says so under the field's key.
		return typeof value === 'object' ? JSON.stringify(value) : String(value);
	}
}
