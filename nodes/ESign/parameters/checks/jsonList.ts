import { isNothing, refusedForNothing, type Given } from './given';
import { isGlued } from './glued';
import type { Refuse } from './problems';

/**
 * Reads a list that is given as JSON: text, or what an expression hands over (an array, a single object, or an object
 * with the list under `key`, the shape of the request body). Undefined when it is no list, which is then told.
 */
export function jsonList(given: Given, key: string, refuse: Refuse): Given[] | undefined {
	let { value } = given;
	// A list without entries has been found: whether it will do is for the caller to say.
	if (!Array.isArray(value) && refusedForNothing(given, refuse)) return undefined;
	if (isNothing(value)) return [];
	if (typeof value === 'string') {
		const text = value.replace(/^\uFEFF/, '');
		try {
			value = (JSON.parse(text) as unknown) ?? [];
		} catch (error) {
			return refuse(`is not valid JSON${positionIn(text, error)}`, 'Correct it, or switch to the form');
		}
	}
	if (typeof value !== 'object') {
		return refuse('is neither a list nor an object', 'Enter a JSON array, one object per entry');
	}
	const held: unknown = (value as Record<string, unknown>)[key];
	// JSON is data: what it leaves empty is left empty.
	const list = (Array.isArray(held) ? held : [value].flat()) as unknown[];
	return list.map((one) => ({ value: one, isGlued: isGlued(given.raw) }));
}

/** Where the JSON breaks. The parser's own message quotes the text around it, which may hold a recipient's pin. */
function positionIn(text: string, error: unknown): string {
	const position = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
	if (position === undefined) return '';
	const before = text.slice(0, Number(position)).split('\n');
	return ` (line ${before.length}, column ${(before.at(-1) ?? '').length + 1})`;
}
