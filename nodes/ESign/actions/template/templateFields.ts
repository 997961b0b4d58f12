import { client, serviceOf, type TemplateDetail } from '../../client';
import { Readings, type Item } from '../../operation';

/** Executions share what was read; a template may be edited, so it is not kept for long. */
const readings = new Readings(10 * 60_000, 100);

/** What speaks against a value is not taken from an older reading than this. */
const FRESH_MS = 60_000;

/**
 * Reads a template: one request for each in ten minutes.
 *
 * @param isFresh it was edited perhaps: a reading of the last minute counts only
 */
export async function readTemplate(
	item: Item,
	id: string,
	isFresh = false,
): Promise<TemplateDetail> {
	const { keyId } = await serviceOf(item.context);
	const since = isFresh ? client.now() - FRESH_MS : undefined;
	const ask = async () => await item.call('GET /templates/{id}', { path: { id } });
	return await readings.read(JSON.stringify([keyId, id]), ask, since);
}

/** SIGNER and CC are the types seen; others may exist (docs/service.md section 2). */
export function isSigner({ type }: { type: string }): boolean {
	return type.toUpperCase() !== 'CC';
}

/** The roles of a template in the order in which they are asked. */
export function inOrder<Role extends { order: number }>(roles: readonly Role[]): Role[] {
	return roles.toSorted((left, right) => left.order - right.order);
}
