import { ApiError } from '../http/errors';
import type { Template, TemplateField, TextBlock } from '../state/entities';
import { newId } from '../state/ids';
import type { FieldType, Mode, RoleType, TemplateStatus } from '../state/vocabulary';
import type { World } from '../state/world';

/**
 * What the web application would have made; in the sandbox, the body of POST /_sandbox/templates.
 */
export interface NewTemplate {
	mode: Mode;
	name: string;
	description?: string | null;
	/** What the seed's templates say; those of a test have their fields alone. */
	text?: readonly TextBlock[];
	status: TemplateStatus;
	roles: ReadonlyArray<{ role: string; type: RoleType }>;
	fields: ReadonlyArray<{
		field_key: string | null;
		type: FieldType;
		role: string | null;
		required: boolean;
		page: number;
		xNorm?: number;
		yNorm?: number;
		widthNorm?: number;
		heightNorm?: number;
		dropdownOptions?: string[];
		customFieldId?: string;
	}>;
}

/**
 * Fields without a place are laid out below each other, this many to a column and two columns to a
 * page.
 */
const ROWS = 12;
const ROW = { top: 0.2, step: 0.06, height: 0.04, left: 0.1, column: 0.42, width: 0.38 };

function placeOf(index: number) {
	const column = Math.floor(index / ROWS) % 2;
	return { xNorm: ROW.left + column * ROW.column, yNorm: ROW.top + (index % ROWS) * ROW.step };
}

function fieldsOf(template: NewTemplate): TemplateField[] {
	const onPage = new Map<number, number>();
	return template.fields.map((field) => {
		const index = onPage.get(field.page) ?? 0;
		onPage.set(field.page, index + 1);
		const place = placeOf(index);
		return {
			type: field.type,
			role: template.roles.find(({ role }) => sameRole(role, field.role ?? ''))?.role ?? null,
			page: field.page,
			xNorm: field.xNorm ?? place.xNorm,
			yNorm: field.yNorm ?? place.yNorm,
			widthNorm: field.widthNorm ?? ROW.width,
			heightNorm: field.heightNorm ?? ROW.height,
			required: field.required,
			key: field.field_key,
			customFieldId: field.customFieldId ?? null,
			placeholderText: null,
			helpText: null,
			look: field.dropdownOptions ? { dropdownOptions: field.dropdownOptions } : {},
		};
	});
}

/** Roles match case-insensitively (rule 1 of template send). */
export function sameRole(one: string, other: string): boolean {
	return one.toLowerCase() === other.toLowerCase();
}

export function addTemplate(world: World, input: NewTemplate): Template {
	return world.state.templates.add({
		id: newId('tpl'),
		sequence: world.state.templates.nextSequence(),
		mode: input.mode,
		name: input.name,
		description: input.description ?? null,
		text: input.text ?? [],
		status: input.status,
		roles: input.roles.map(({ role, type }, order) => ({ id: newId('ph'), role, type, order })),
		fields: fieldsOf(input),
		createdAt: world.timeline.date(),
	});
}

/** The template in this mode, or 404 template_not_found. */
export function requireTemplate(world: World, templateId: string, mode: Mode): Template {
	const template = world.state.templates.find(templateId, mode);
	if (!template) throw new ApiError('template_not_found');
	return template;
}

export function requirePublished(template: Template): void {
	if (template.status !== 'PUBLISHED') throw new ApiError('template_not_published');
}
