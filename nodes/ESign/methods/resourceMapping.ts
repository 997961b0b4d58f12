import type { ILoadOptionsFunctions, ResourceMapperField, ResourceMapperFields } from 'n8n-workflow';
import { onlyIfCustom, prefillKind } from '../service/prefill';
import { apiRequest, type TemplateField } from '../transport';
import { chosenId } from './chosen';

/** The fields of the chosen template that can be prefilled, grouped by the role that would fill them. */
export async function getTemplateFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const id = chosenId(this, 'templateId');
	if (id === undefined) return { fields: [] };
	const { fields, roles } = await apiRequest(this, 'GET /templates/{id}', { path: { id } });
	const order = new Map(roles.map(({ role, order: place }) => [role, place]));
	const place = ({ role }: TemplateField) => (role === null ? Infinity : (order.get(role) ?? Infinity));
	const mapped = new Map<string, ResourceMapperField>();
	for (const field of [...fields].sort(
		(left, right) => comparePlaces(place(left), place(right)) || left.page - right.page,
	)) {
		const mapperField = toMapperField(field);
		// Two boxes of one key are filled by one value.
		if (mapperField && !mapped.has(mapperField.id)) mapped.set(mapperField.id, mapperField);
	}
	return {
		fields: [...mapped.values()],
		emptyFieldsNotice: 'This template has no fields that can be prefilled. Its signers fill everything themselves.',
	};
}

function comparePlaces(left: number, right: number): number {
	return left === right ? 0 : left - right;
}

function toMapperField({ field_key: key, type, role }: TemplateField): ResourceMapperField | undefined {
	const input = prefillKind(type);
	if (key === null || input === undefined) return undefined;
	const custom = onlyIfCustom(type) ? ', custom field only' : '';
	return {
		id: key,
		displayName: `${role ? `${role}: ` : ''}${key} (${type.toLowerCase().replace(/_/g, ' ')}${custom})`,
		type: input,
		// What is left empty is filled by the signer, required there or not.
		required: false,
		defaultMatch: false,
		display: true,
		// The editor gives a checkbox the value false as soon as it shows it, which would untick it for good: it waits in
		// the list of fields to add instead.
		...(input === 'boolean' && { removed: true }),
	};
}
