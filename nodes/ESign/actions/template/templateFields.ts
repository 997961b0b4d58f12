import type { IExecuteFunctions, ResourceMapperField } from 'n8n-workflow';
import { apiRequest, type TemplateDetail } from '../../client';
import { givenParameter, partOf, type Given } from '../../parameters/checks/given';
import type { Problems } from '../../parameters/checks/problems';
import { templateLocator } from '../../parameters/locators';
import { Readings } from '../readings';
import { prefillKind, type PrefillKind } from '../../service/prefill';

/** What is known of the fields of a template that take a value, by key. */
export type TemplateFields = ReadonlyMap<string, PrefillKind | undefined>;

/** What is read of a template. Its roles are in their order. */
export type TemplateReading = { name: string; fields: TemplateFields; roles: readonly string[] };

/** What a form stores of a field: beside what n8n knows, whose it is, and what the field of a template takes. */
export interface StoredField extends ResourceMapperField {
	templateId: string;
	kind?: PrefillKind;
}

/**
 * A loop runs the node once for each of its rounds, so what was read is kept beyond one run; a template may be changed while
 * an execution sleeps, so it is not kept for long.
 */
const readings = new Readings(10 * 60_000, 100);

/** Reads the name of a template, its fields and its roles: one request for each template and execution. */
export async function readTemplate(
	context: IExecuteFunctions,
	itemIndex: number,
	id: string,
): Promise<TemplateReading> {
	const name = JSON.stringify([context.getExecutionId(), context.getNode().credentials, id]);
	return await readings.read(name, async () => {
		return readingOf(await apiRequest(context, 'GET /templates/{id}', { path: { id }, itemIndex }));
	});
}

function readingOf({ name, fields, roles }: TemplateDetail): TemplateReading {
	const known = new Map(
		fields.flatMap(({ field_key: key, type }) => {
			const kind = prefillKind(type);
			return key === null || kind === undefined ? [] : [[key, kind] as const];
		}),
	);
	return { name, fields: known, roles: inOrder(roles).map(({ role }) => role) };
}

/** The roles of a template in the order in which they are asked. */
export function inOrder<Role extends { order: number }>(roles: readonly Role[]): Role[] {
	return [...roles].sort((left, right) => left.order - right.order);
}

/** What a form mapped for the chosen template: one value after the other, or automatically by the item's own fields. */
export interface Mapped {
	automatic: boolean;
	/** What the form holds, or the item. */
	values: Given;
	/** The fields that the editor stored, when it knew the template. */
	schema: StoredField[];
	/** The template, if what the editor stored does not tell. */
	read?: TemplateReading;
}

/**
 * Reads a mapper after everything else: when an expression names the template and the values are mapped automatically, it
 * takes a request to know the template. Undefined if that request would be spent on an item that is refused anyway.
 */
export async function readMapper(
	context: IExecuteFunctions,
	itemIndex: number,
	parameter: string,
	templateId: string,
	problems: Problems,
): Promise<Mapped | undefined> {
	// Read as a whole: asked for its values alone, n8n would turn text into dates by guessing.
	const mapper = givenParameter(context, itemIndex, parameter, { fallback: {} });
	const { mappingMode, schema: stored } = Object(mapper.value) as { mappingMode?: unknown; schema?: unknown };
	const schema = (Array.isArray(stored) ? stored : []) as StoredField[];
	const automatic = mappingMode === 'autoMapInputData';
	// An expression may name a template per item: the values of the form are sent as they are, without reading each.
	const mustKnow = automatic || (schema.length > 0 && !isNamedByExpression(context, itemIndex));
	// They differ when another template was chosen and the editor has not read its fields, which it leaves out while an
	// expression of the form has no data.
	const isStored = schema.length > 0 && schema.every((field) => field.templateId === templateId);
	if (mustKnow && !isStored && problems.any) return undefined;
	const read = mustKnow && !isStored ? await readTemplate(context, itemIndex, templateId) : undefined;
	const values = automatic ? { value: context.getInputData()[itemIndex]?.json } : partOf(mapper, 'value');
	return { automatic, values, schema, read };
}

/** Whether an expression names the template: the editor then stores the fields of the template of its preview, if any. */
function isNamedByExpression(context: IExecuteFunctions, itemIndex: number): boolean {
	const { raw } = givenParameter(context, itemIndex, templateLocator.name, { extractValue: true });
	return typeof raw === 'string' && raw.startsWith('=');
}
