import type { IExecuteFunctions } from 'n8n-workflow';
import { runOf } from '../../client';
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
}

/**
 * A parameter of the node; `fallback` stands for one that the workflow does not hold, as of a form that hides it.
 * `extractValue` gives the ID that a resource locator holds.
 */
export function givenParameter(
	context: IExecuteFunctions,
	itemIndex: number,
	name: string,
	options: { fallback?: unknown; extractValue?: true } = {},
): Given {
	const { fallback, extractValue } = options;
	const raw: unknown = runOf(context).parameters[name];
	if (raw === undefined) return { value: fallback };
	const value = readParameter(context, itemIndex, name, extractValue);
	return { value, raw: extractValue ? (own(raw, 'value') ?? raw) : raw };
}

/** What n8n cannot evaluate: the values of an item may refer to themselves, or throw when they are read. */
export class UnreadableParameter extends Error {
	/** What is wrong with the parameter, without a full stop. */
	readonly what: string;

	constructor(
		readonly parameter: string,
		cause: unknown,
	) {
		// A value that refers to itself has no end.
		const why = cause instanceof Error && cause.name !== 'RangeError' ? String(cause.message).slice(0, 200) : '';
		super(`${parameter} cannot be read`);
		this.what = why === '' ? 'contains a value that refers to itself' : `contains a value that cannot be read (${why})`;
	}
}

function readParameter(context: IExecuteFunctions, itemIndex: number, name: string, extractValue?: true): unknown {
	try {
		return context.getNodeParameter(name, itemIndex, null, extractValue && { extractValue });
	} catch (error) {
		// n8n's own words for an expression that fails are clear enough.
		throw isOfN8n(error) ? error : new UnreadableParameter(name, error);
	}
}

/** n8n's errors say how grave they are, or where they belong. */
function isOfN8n(error: unknown): error is Error {
	return error instanceof Error && ('context' in error || 'level' in error);
}

/** A property of a collection, a row of a list, or a value of a row. */
export function partOf({ value, raw, isGlued }: Given, key: string | number): Given {
	return { value: own(value, key), raw: own(raw, key), isGlued };
}

/** The rows of a fixed collection; none when it was never filled. */
export function rowsOf(collection: Given, row: string): Given[] {
	const rows = partOf(collection, row);
	if (!Array.isArray(rows.value)) return [];
	return rows.value.map((_, index) => partOf(rows, index));
}

/** Nothing to work with: undefined, null, an empty list, or text without a character that can be seen. */
export function isNothing(value: unknown): boolean {
	if (typeof value === 'string') return isInvisible(value);
	return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/**
 * Whether an expression was asked for a value and found none. What a model leaves out of a tool call is left empty: it
 * has no other way to say so.
 */
export function foundNothing({ value, raw }: Given): boolean {
	return isNothing(value) && typeof raw === 'string' && /^=.*\{\{/s.test(raw) && !/\$fromAI\s*\(/i.test(raw);
}

/** Stands for a property that throws when it is read: an object, which no rule takes. */
const UNREADABLE = Object.freeze({});

function own(holder: unknown, key: string | number): unknown {
	if (typeof holder !== 'object' || holder === null) return undefined;
	try {
		return Object.hasOwn(holder, key) ? (holder as Record<string | number, unknown>)[key] : undefined;
	} catch {
		return UNREADABLE;
	}
}
