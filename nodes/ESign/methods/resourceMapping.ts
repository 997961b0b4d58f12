import type { IDataObject, ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { fieldValues } from '../actions/template/fieldValues';
import type { StoredField } from '../actions/template/templateFields';
import { onlyIfCustom, prefillKind, type PrefillKind } from '../service/prefill';
import { apiRequest, type TemplateField } from '../transport';
import { chosenId } from './chosen';

/** The editor reads no fields while an expression of the form has no data yet, and shows what it has until it is opened anew. */
const CHOOSE_FIRST =
	'Choose a template to see its fields here. If they do not appear, close this panel and open it again.';

/** The fields of the chosen template that can be prefilled, grouped by the role that would fill them. */
export async function getTemplateFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const id = chosenId(this, 'templateId');
	if (id === undefined) return fieldsWithoutTemplate(this);
	const { fields, roles } = await apiRequest(this, 'GET /templates/{id}', { path: { id } });
	const order = new Map(roles.map(({ role, order: place }) => [role, place]));
	const place = ({ role }: TemplateField) => (role === null ? Infinity : (order.get(role) ?? Infinity));
	const mapped = new Map<string, StoredField>();
	for (const field of [...fields].sort(
		(left, right) => comparePlaces(place(left), place(right)) || left.page - right.page,
	)) {
		const mapperField = toMapperField(field, id);
		// Two boxes of one key are filled by one value.
		if (mapperField && !mapped.has(mapperField.id)) mapped.set(mapperField.id, mapperField);
	}
	if (mapped.size > 0) return { fields: [...mapped.values()] };
	return {
		fields: [],
		// The editor would show a notice that comes with fields below them, when they are mapped automatically.
		emptyFieldsNotice: 'This template has no fields that can be prefilled. Its signers fill everything themselves.',
	};
}

/**
 * While no template is chosen, the form keeps the fields that the workflow was saved with: fewer would have the editor
 * drop their values.
 */
function fieldsWithoutTemplate(context: ILoadOptionsFunctions): ResourceMapperFields {
	const form = context.getCurrentNodeParameter(fieldValues.name) as IDataObject | undefined;
	const fields = (Array.isArray(form?.schema) ? form.schema : []) as StoredField[];
	if (fields.length > 0 || form?.mappingMode === 'autoMapInputData') return { fields };
	return { fields, emptyFieldsNotice: CHOOSE_FIRST };
}

function comparePlaces(left: number, right: number): number {
	return left === right ? 0 : left - right;
}

function toMapperField({ field_key: key, type, role }: TemplateField, templateId: string): StoredField | undefined {
	const kind = prefillKind(type);
	if (key === null || kind === undefined) return undefined;
	return {
		id: key,
		// The key comes first: the editor cuts what is too long.
		displayName: `${key} (${[role, inWords(type, kind)].filter(Boolean).join(', ')})`,
		// The editor's own field for dates would ask for a time of day.
		type: kind === 'dateTime' ? 'string' : kind,
		kind,
		templateId,
		// What is left empty is filled by the signer, required there or not.
		required: false,
		defaultMatch: false,
		display: true,
		// The editor gives a checkbox the value false as soon as it shows it, which would untick it for good: it waits in
		// the list of fields to add instead.
		...(kind === 'boolean' && { removed: true }),
	};
}

/** What the field takes: `custom date YYYY-MM-DD` or `radio group`. */
function inWords(type: string, kind: PrefillKind): string {
	const name = type.toUpperCase() === 'TEXTAREA' ? 'long text' : type.toLowerCase().replace(/_/g, ' ');
	const words = `${onlyIfCustom(type) ? 'custom ' : ''}${name}`;
	return kind === 'dateTime' ? `${words} YYYY-MM-DD` : words;
}
