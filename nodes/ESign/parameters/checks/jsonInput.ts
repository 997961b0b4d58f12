import { isNothing, type Given } from './given';
import { isGlued } from './glued';
import type { Problems } from './problems';
import { repeatedKey } from './repeatedKey';
import { refusedForNothing } from './rules';

/**
 * Reads a list that is given as JSON: text, or what an expression hands over (an array, a single object, or an object
 * with the list under `key`, the shape of the request body). Undefined when it is no list; the problem is then added.
 */
export function jsonList(given: Given, label: string, key: string, problems: Problems): Given[] | undefined {
	let { value } = given;
	// JSON is data: what it leaves empty is left empty.
	const entry = (one: unknown): Given => ({ value: one, isGlued: isGlued(given.raw) });
	// A list without entries has been found: whether it will do is for the caller to say.
	if (!Array.isArray(value) && refusedForNothing(given, label, problems)) return undefined;
	if (typeof value === 'string') {
		if (isNothing(value)) return [];
		const text = value.replace(/^\uFEFF/, '');
		try {
			value = JSON.parse(text) as unknown;
		} catch (error) {
			problems.add(label, `is not valid JSON${positionIn(text, error)}`, 'Correct it, or switch to the form');
			return undefined;
		}
		const key = repeatedKey(text);
		if (key !== undefined) {
			problems.add(label, `has "${key}" twice in the same object`, 'Remove the one that is not meant');
			return undefined;
		}
	}
	if (value === undefined || value === null) return [];
	if (Array.isArray(value)) return value.map(entry);
	if (typeof value === 'object') {
		const list: unknown = (value as Record<string, unknown>)[key];
		return (Array.isArray(list) ? list : [value]).map(entry);
	}
	problems.add(label, 'is neither a list nor an object', `Enter a JSON array, one object per entry`);
	return undefined;
}

/** Where the JSON breaks. The parser's own message quotes the text around it, which may hold a recipient's pin. */
function positionIn(text: string, error: unknown): string {
	const position = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
	if (position === undefined) return '';
	const before = text.slice(0, Number(position)).split('\n');
	return ` (line ${before.length}, column ${(before.at(-1) ?? '').length + 1})`;
}
