import type { IExecuteFunctions, ResourceMapperField } from 'n8n-workflow';
import { apiRequest, forgetOldest, type TemplateDetail } from '../../transport';
import { givenParameter } from '../parameters/checks/given';
import { templateLocator } from '../parameters/locators';
import { prefillKind, type PrefillKind } from '../../service/prefill';

/** What is known of the fields of a template that take a value, by key. */
export type TemplateFields = ReadonlyMap<string, PrefillKind | undefined>;

/** A template may be changed while an execution sleeps, so what was read of it is not kept for long. */
const KEPT_MS = 10 * 60_000;
const MOST_KEPT = 100;

/** What is read of a template. */
export type TemplateReading = { name: string; fields: TemplateFields };

type Kept = { at: number; template: Promise<TemplateReading> };

/** A loop runs the node once for each of its rounds, so what was read is kept beyond one run. */
const readings = new Map<string, Kept>();

/** What the form stores of a field: beside what n8n knows, what the field takes and whose it is. */
export interface StoredField extends ResourceMapperField {
	kind: PrefillKind;
	templateId: string;
}

/** The fields that the editor stored with the form, when it knew the template. */
export function storedFields(schema: readonly StoredField[]): TemplateFields {
	return new Map(schema.map(({ id, kind }) => [id, kind]));
}

/** Whether an expression names the template: the editor then stores the fields of the template of its preview, if any. */
export function isNamedByExpression(context: IExecuteFunctions, itemIndex: number): boolean {
	const { raw } = givenParameter(context, itemIndex, templateLocator.name, { extractValue: true });
	return typeof raw === 'string' && raw.startsWith('=');
}

/**
 * Whether the fields that the editor stored are those of the template. They are not when another one was chosen and the
 * editor has not read its fields, which it leaves out while an expression of the form has no data.
 */
export function storedFieldsApply(templateId: string, schema: readonly StoredField[]): boolean {
	return schema.length > 0 && schema.every((field) => field.templateId === templateId);
}

/** Reads the name of a template and its fields: one request for each template and execution. */
export async function readTemplate(
	context: IExecuteFunctions,
	itemIndex: number,
	id: string,
): Promise<TemplateReading> {
	const name = JSON.stringify([context.getExecutionId(), context.getNode().credentials, id]);
	const kept = readings.get(name);
	if (kept && Date.now() - kept.at < KEPT_MS && Date.now() >= kept.at) return await kept.template;

	const template = apiRequest(context, 'GET /templates/{id}', { path: { id }, itemIndex }).then(readingOf);
	readings.delete(name);
	readings.set(name, { at: Date.now(), template });
	forgetOldest(readings, MOST_KEPT);
	// A failed reading is not kept.
	template.catch(() => readings.delete(name));
	return await template;
}

function readingOf({ name, fields }: TemplateDetail): TemplateReading {
	const known = new Map(
		fields.flatMap(({ field_key: key, type }) => {
			const kind = prefillKind(type);
			return key === null || kind === undefined ? [] : [[key, kind] as const];
		}),
	);
	return { name, fields: known };
}
