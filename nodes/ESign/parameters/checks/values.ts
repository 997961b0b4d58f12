import { isNothing } from './given';
import type { Problems } from './problems';
import { hasInvisible, unsendable, withoutInvisibleEnds } from './text';

/** What a text may be. An ID is as the service gives it, or what takes its place: nothing that cannot be seen belongs to it. */
export type TextRule = { type: 'string'; max?: number; pattern?: RegExp; form?: string } | { type: 'id'; max?: number };

export interface NumberRule {
	type: 'integer' | 'number';
	min: number;
	max?: number;
}

/** A list of texts, or text with commas. */
export interface TextsRule {
	type: 'strings';
	max: number;
	items: number;
}

/**
 * A value without what surrounds it: a list of one, as lookups in databases give, is that one, and text is trimmed.
 */
export function plainOf(value: unknown): unknown {
	const [only] = Array.isArray(value) && value.length === 1 ? (value as unknown[]) : [value];
	const plain = Array.isArray(only) ? value : only;
	return typeof plain === 'string' ? plain.trim() : plain;
}

/** Each of these checks one kind of value: undefined when it is not acceptable (the problem is then added). */
export function checkChoice(
	value: unknown,
	choices: readonly string[],
	parameter: string,
	problems: Problems,
): string | undefined {
	const choice = choices.find((one) => typeof value === 'string' && one.toLowerCase() === value.toLowerCase());
	if (choice === undefined) {
		problems.add(parameter, `${describe(value)} is not one of its values`, `Use ${choices.join(', ')}`);
	}
	return choice;
}

/** What a DateTime or a Date that names no time becomes in a text. n8n makes texts of them before a node sees them. */
export const INVALID_DATE = /\bInvalid Date(?:Time)?\b/;

/** The length of a text as the service counts it: in characters, where an emoji is one and not two. */
export function charactersOf(text: string): number {
	return [...text].length;
}

export function checkString(value: unknown, rule: TextRule, parameter: string, problems: Problems): string | undefined {
	if (typeof value !== 'string' && typeof value !== 'bigint' && !Number.isFinite(value)) {
		problems.add(parameter, `is ${describe(value)}, not text`, 'Enter text');
		return undefined;
	}
	const pattern = rule.type === 'string' ? rule.pattern : undefined;
	const isExact = rule.type === 'id' || pattern !== undefined;
	const text = isExact ? withoutInvisibleEnds(String(value)) : String(value);
	const refused = unsendable(text);
	if (refused) {
		problems.add(parameter, refused.what, refused.remedy);
		return undefined;
	}
	if (INVALID_DATE.test(text)) {
		problems.add(parameter, `"${text}" contains a date that does not exist`, 'Use a date that exists');
		return undefined;
	}
	const characters = charactersOf(text);
	if (characters > (rule.max ?? Infinity)) {
		problems.add(parameter, `has ${characters} characters`, `Shorten it to ${rule.max} at most`);
	} else if (pattern && !pattern.test(text)) {
		problems.add(
			parameter,
			`"${text}" is not ${(rule.type === 'string' && rule.form) || 'of the expected form'}`,
			`Enter ${(rule.type === 'string' && rule.form) || 'another one'}`,
		);
	} else if (isExact && hasInvisible(text)) {
		problems.add(parameter, `"${text}" contains an invisible character`, 'Type it again');
	} else {
		return text;
	}
	return undefined;
}

export function checkNumber(
	value: unknown,
	rule: NumberRule,
	parameter: string,
	problems: Problems,
): number | undefined {
	const number = typeof value === 'string' ? Number(value) : value;
	const kind = rule.type === 'integer' ? 'a whole number' : 'a number';
	const range = rule.max === undefined ? `of ${rule.min} or more` : `from ${rule.min} to ${rule.max}`;
	const fits =
		typeof number === 'number' &&
		Number.isFinite(number) &&
		(rule.type === 'number' || Number.isInteger(number)) &&
		number >= rule.min &&
		number <= (rule.max ?? Infinity);
	if (fits) return number;
	problems.add(parameter, `${describe(value)} is not ${kind} ${range}`, `Use ${kind} ${range}`);
	return undefined;
}

export function checkStrings(
	value: unknown,
	rule: TextsRule,
	parameter: string,
	problems: Problems,
): string[] | undefined {
	const list: unknown[] = typeof value === 'string' ? value.split(',').map((part) => part.trim()) : [value].flat();
	const given = list.filter((entry) => !isNothing(entry));
	if (given.some((entry) => !['string', 'number', 'boolean'].includes(typeof entry) || Number.isNaN(entry))) {
		problems.add(parameter, 'contains something that is not text', 'Enter a list of texts');
		return undefined;
	}
	const texts = given.map(String);
	const refused = texts.map(unsendable).find((one) => one !== undefined);
	if (refused) {
		problems.add(parameter, refused.what, refused.remedy);
	} else if (texts.length > rule.items) {
		problems.add(parameter, `has ${texts.length} entries`, `Use ${rule.items} at most`);
	} else if (texts.some((text) => charactersOf(text) > rule.max)) {
		problems.add(parameter, `has an entry longer than ${rule.max} characters`, 'Shorten it');
	} else {
		return texts.length > 0 ? texts : undefined;
	}
	return undefined;
}

/** A value as a message names it. */
export function describe(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'object') return 'an object';
	return typeof value === 'string' ? `"${value}"` : String(value);
}
