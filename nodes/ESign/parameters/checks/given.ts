import type { Refuse } from './problems';
import { isInvisible } from './text';

/**
 * What a parameter, or a part of one, holds for an item. The value alone does not tell a parameter that was left empty
 * from an expression that found nothing; what the workflow holds in its place does.
 */
export interface Given {
	/** What n8n made of it for this item. */
	value: unknown;
	/** What the workflow holds in its place. Undefined for what came with a larger value, such as an entry of a JSON list. */
	raw?: unknown;
	/** Whether an expression may have put together the larger value that it came with. */
	isGlued?: boolean;
	/** What a part of an expression gives for this item, such as `{{ $json.name }}`. */
	evaluate?(part: string): unknown;
}

function own(holder: unknown, key: string | number): unknown {
	if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) return undefined;
	return (holder as Record<string | number, unknown>)[key];
}

/** A property of a collection, a row of a list, or a value of a row. */
export function partOf({ value, raw, ...rest }: Given, key: string | number): Given {
	return { ...rest, value: own(value, key), raw: own(raw, key) };
}

/** The rows of a fixed collection; none when it was never filled. */
export function rowsOf(collection: Given, row: string): Given[] {
	const rows = partOf(collection, row);
	return Array.isArray(rows.value) ? rows.value.map((_, index) => partOf(rows, index)) : [];
}

/** Nothing to work with: undefined, null, an empty list, or text without a character that can be seen. */
export function isNothing(value: unknown): boolean {
	if (typeof value === 'string') return isInvisible(value);
	return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** Whether an expression stands here that a person wrote. What a model writes, or leaves out, in a tool call is its own. */
export function isExpression(raw: unknown): raw is string {
	return typeof raw === 'string' && /^=.*\{\{/s.test(raw) && !/\$fromAI\s*\(/i.test(raw);
}

/** Whether an expression was asked for a value and found none. */
export function foundNothing({ value, raw }: Given): boolean {
	return isNothing(value) && isExpression(raw);
}

/** Refuses what an expression found nothing for: whoever wrote it did not mean to leave it empty. */
export function refusedForNothing(given: Given, refuse: Refuse, required = false): boolean {
	if (!foundNothing(given)) return false;
	refuse('its expression found nothing', `Correct the expression${required ? '' : ', or clear the parameter'}`);
	return true;
}

/** Lookups in databases and tables give a list of the one value that they found, or of none. */
export function onlyOf(value: unknown): unknown {
	if (!Array.isArray(value) || value.length > 1) return value;
	const [only] = value as unknown[];
	return Array.isArray(only) ? value : only;
}

/** A value without what surrounds it: a list of one is that one, and text is trimmed. */
export function plainOf(value: unknown): unknown {
	const plain = onlyOf(value);
	return typeof plain === 'string' ? plain.trim() : plain;
}

/** A value as a message names it. */
export function describe(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'object') return 'an object';
	return typeof value === 'string' ? `"${value}"` : String(value);
}
