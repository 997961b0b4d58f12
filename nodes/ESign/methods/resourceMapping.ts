import type { IDataObject, ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { fieldValues } from '../actions/template/fieldValues';
import { columnOf, PARTS, people } from '../actions/template/recipients';
import { inOrder, isSigner } from '../actions/template/templateFields';
import type { StoredField } from '../actions/template/templateMapper';
import { prefillKind, type PrefillKind } from '../service/prefill';
import type { TemplateDetail, TemplateField } from '../client';
import { inWords, lookUpChosen } from './lookUp';

/**
 * The editor reads no fields while an expression of the form has no data yet, and shows what it has
 * until it is opened anew.
 */
const CHOOSE_FIRST =
	'Choose a template to see its fields here. If they do not appear, close this panel and open it again.';

const USED_UP =
	'The API key has used up its requests for now. Close this panel and open it again in a minute to see what the template asks for.';

const NO_FIELDS =
	'This template has no fields that can be prefilled. Its signers fill everything themselves.';

const SHOWN = { defaultMatch: false, display: true, type: 'string' as const };

export async function getTemplateRecipients(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	return await ofTemplate(
		this,
		people.name,
		'Choose a template to see its roles here.',
		({ id, roles }) => ({
			fields: inOrder(roles).flatMap(({ role, type }) =>
				PARTS.map((part) => ({
					...SHOWN,
					id: columnOf(role, part),
					displayName: `${columnOf(role, part)}${isSigner({ type }) ? '' : ' (CC)'}`,
					templateId: id,
					required: part !== 'phone',
					// It waits in the list of details to add.
					removed: part === 'phone',
				})),
			),
		}),
	);
}

/** What can be prefilled, grouped by the role that would fill it. */
export async function getTemplateFields(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	return await ofTemplate(this, fieldValues.name, CHOOSE_FIRST, ({ id, fields, roles }) => {
		// Fields of nobody come last.
		const order = [...inOrder(roles).map(({ role }): string | null => role), null];
		const place = ({ role }: TemplateField) => order.indexOf(role);
		const sorted = fields.toSorted(
			(left, right) => place(left) - place(right) || left.page - right.page,
		);
		const mapped = sorted.flatMap((field) => toMapperField(field, id) ?? []);
		// Two boxes of one key are filled by one value.
		const ofKeys = mapped.filter(
			(field, index) => mapped.findIndex((one) => one.id === field.id) === index,
		);
		// The editor would show a notice that comes with fields below them, when they are mapped
		// automatically.
		return ofKeys.length > 0 ? { fields: ofKeys } : { fields: [], emptyFieldsNotice: NO_FIELDS };
	});
}

/**
 * While no template is chosen, or the limit is used up, the form keeps its fields: the editor would
 * drop the values of others.
 */
async function ofTemplate(
	context: ILoadOptionsFunctions,
	parameter: string,
	chooseFirst: string,
	fieldsOf: (template: TemplateDetail) => { fields: StoredField[]; emptyFieldsNotice?: string },
): Promise<ResourceMapperFields> {
	const { found, usedUp } = await lookUpChosen(context, 'templateId', 'GET /templates/{id}');
	if (found) return fieldsOf(found);
	const form = context.getCurrentNodeParameter(parameter) as IDataObject | undefined;
	const fields = (Array.isArray(form?.schema) ? form.schema : []) as StoredField[];
	const says =
		fields.length === 0 && (usedUp !== undefined || form?.mappingMode !== 'autoMapInputData');
	return { fields, ...(says && { emptyFieldsNotice: usedUp ? USED_UP : chooseFirst }) };
}

/** What the editor says of a field in brackets: who would fill it, and what it takes. */
function describeField({ type, role }: TemplateField, kind: PrefillKind): string {
	const isLong = type.toUpperCase() === 'TEXTAREA';
	const words = kind === 'dateTime' ? 'date YYYY-MM-DD' : isLong ? 'long text' : inWords(type);
	// The editor cuts the end of a long label.
	return role === null ? words : `${role}, ${words}`;
}

function toMapperField(field: TemplateField, templateId: string): StoredField | undefined {
	const { field_key: key, type } = field;
	const kind = prefillKind(type);
	if (key === null || kind === undefined) return undefined;
	return {
		...SHOWN,
		id: key,
		displayName: `${key} (${describeField(field, kind)})`,
		// The editor's own field for dates would ask for a time of day.
		type: kind === 'dateTime' ? 'string' : kind,
		templateId,
		// What is left empty is filled by the signer, required there or not.
		required: false,
		// The editor would untick a checkbox for good as soon as it shows it: it waits in the list of
		// fields to add.
		removed: kind === 'boolean',
	};
}
