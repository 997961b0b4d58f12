import { client, Readings, type TemplateDetail } from '../../client';
import type { Item } from '../../operation/parameters';
import { prefillKind, type PrefillKind } from '../../service/prefill';

export type TemplateFields = ReadonlyMap<string, PrefillKind | undefined>;

export type TemplateReading = {
	name: string;
	fields: TemplateFields;
	roles: readonly string[];
	/** The roles that sign, in lower case: a cc does not. */
	signers: readonly string[];
};

/**
 * A loop runs the node once for each of its rounds, so what was read is kept beyond one run; a
 * template may be changed while an execution sleeps, so it is not kept for long.
 */
const readings = new Readings(10 * 60_000, 100, () => client.now());

/**
 * Reads the name of a template, its fields and its roles: one request for each template and
 * execution.
 */
export async function readTemplate(item: Item, id: string): Promise<TemplateReading> {
	const name = JSON.stringify([
		item.context.getExecutionId(),
		item.context.getNode().credentials,
		id,
	]);
	return await readings.read(name, async () =>
		readingOf(await item.call('GET /templates/{id}', { path: { id } })),
	);
}

function readingOf({ name, fields, roles }: TemplateDetail): TemplateReading {
	const known = new Map(
		fields.flatMap(({ field_key: key, type }) => {
			const kind = prefillKind(type);
			return key === null || kind === undefined ? [] : [[key, kind] as const];
		}),
	);
	const signing = roles.filter(({ type }) => type !== 'CC');
	const signers = signing.map(({ role }) => role.toLowerCase());
	return { name, fields: known, roles: inOrder(roles).map(({ role }) => role), signers };
}

/** The roles of a template in the order in which they are asked. */
export function inOrder<Role extends { order: number }>(roles: readonly Role[]): Role[] {
	return [...roles].sort((left, right) => left.order - right.order);
}
