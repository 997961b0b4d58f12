import { client, serviceOf, type TemplateDetail } from '../../client';
import { Readings } from '../../operation/readings';
import type { Item } from '../../operation/parameters';
import { prefillKind, type PrefillKind } from '../../service/prefill';

export type TemplateFields = ReadonlyMap<string, PrefillKind | undefined>;

export type TemplateReading = {
	name: string;
	fields: TemplateFields;
	/** The keys of fields that take no value, such as a signature: their signer fills them. */
	signerOnly: readonly string[];
	roles: readonly string[];
	/** The roles that sign, in lower case: a cc does not. */
	signers: readonly string[];
};

/** Executions share what was read; a template may be edited, so it is not kept for long. */
const readings = new Readings(10 * 60_000, 100);

/** What speaks against a value is not taken from an older reading than this. */
const FRESH_MS = 60_000;

/**
 * Reads the name of a template, its fields and its roles: one request for each template in ten
 * minutes.
 *
 * @param isFresh it was edited perhaps: a reading of the last minute counts only
 */
export async function readTemplate(
	item: Item,
	id: string,
	isFresh = false,
): Promise<TemplateReading> {
	const { keyId } = await serviceOf(item.context);
	const since = isFresh ? client.now() - FRESH_MS : undefined;
	const ask = async () => readingOf(await item.call('GET /templates/{id}', { path: { id } }));
	return await readings.read(JSON.stringify([keyId, id]), ask, since);
}

function readingOf({ name, fields, roles }: TemplateDetail): TemplateReading {
	const known = new Map<string, PrefillKind>();
	const signerOnly: string[] = [];
	for (const { field_key: key, type } of fields) {
		if (key === null) continue;
		const kind = prefillKind(type);
		if (kind === undefined) signerOnly.push(key);
		else known.set(key, kind);
	}
	const signers = roles.filter(isSigner).map(({ role }) => role.toLowerCase());
	return {
		name,
		fields: known,
		signerOnly,
		roles: inOrder(roles).map(({ role }) => role),
		signers,
	};
}

/** SIGNER and CC are the types seen; others may exist (docs/service.md section 2). */
export function isSigner({ type }: { type: string }): boolean {
	return type.toUpperCase() !== 'CC';
}

/** The roles of a template in the order in which they are asked. */
export function inOrder<Role extends { order: number }>(roles: readonly Role[]): Role[] {
	return [...roles].sort((left, right) => left.order - right.order);
}
