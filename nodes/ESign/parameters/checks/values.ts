import { isNothing } from './given';
import { hasInvisible, unsendable, withoutInvisibleEnds } from './text';

/** What a text may be. An ID is as the service gives it, or what takes its place: nothing that cannot be seen belongs to it. */
export type TextRule = { type: 'string' | 'id'; max?: number; pattern?: RegExp; form?: string };

export type NumberRule = { type: 'integer' | 'number'; min: number; max?: number };

/** A list of texts, or text with commas. */
export type TextsRule = { type: 'strings'; max: number; items: number };

/** Tells what is wrong with a value and what to do, and stands for no value. */
export type Refuse = (what: string, remedy: string) => undefined;

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

/** The parts of a list, or of text with commas. */
export function partsOf(value: unknown): unknown[] {
	return typeof value === 'string' ? value.split(',').map((part) => part.trim()) : [value].flat();
}

/** A value as a message names it. */
export function describe(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'object') return 'an object';
	return typeof value === 'string' ? `"${value}"` : String(value);
}

/** What a DateTime or a Date that names no time becomes in a text. n8n makes texts of them before a node sees them. */
const INVALID_DATE = /\bInvalid Date(?:Time)?\b/;

/** The length of a text as the service counts it: in characters, where an emoji is one and not two. */
export function charactersOf(text: string): number {
	return [...text].length;
}

/** This and those below check one kind of value each: undefined when it is not acceptable. */
export function checkString(value: unknown, rule: TextRule, refuse: Refuse): string | undefined {
	if (typeof value !== 'string' && typeof value !== 'bigint' && !Number.isFinite(value)) {
		return refuse(`is ${describe(value)}, not text`, 'Enter text');
	}
	const { type, max = Infinity, pattern, form } = rule;
	const isExact = type === 'id' || pattern !== undefined;
	const text = isExact ? withoutInvisibleEnds(String(value)) : String(value);
	const refused = unsendable(text);
	if (refused) return refuse(refused.what, refused.remedy);
	if (INVALID_DATE.test(text)) return refuse(`"${text}" contains a date that does not exist`, 'Use a date that exists');
	const characters = charactersOf(text);
	if (characters > max) return refuse(`has ${characters} characters`, `Shorten it to ${max} at most`);
	if (pattern && !pattern.test(text)) return refuse(`"${text}" is not ${form}`, `Enter ${form}`);
	if (isExact && hasInvisible(text)) return refuse(`"${text}" contains an invisible character`, 'Type it again');
	return text;
}

export function checkNumber(value: unknown, { type, min, max }: NumberRule, refuse: Refuse): number | undefined {
	const number = typeof value === 'string' ? Number(value) : value;
	const isOfKind =
		typeof number === 'number' && (type === 'integer' ? Number.isInteger(number) : Number.isFinite(number));
	if (isOfKind && number >= min && number <= (max ?? Infinity)) return number;
	const kind = type === 'integer' ? 'a whole number' : 'a number';
	const range = max === undefined ? `of ${min} or more` : `from ${min} to ${max}`;
	return refuse(`${describe(value)} is not ${kind} ${range}`, `Use ${kind} ${range}`);
}

export function checkBoolean(value: unknown, refuse: Refuse): boolean | undefined {
	if (typeof value === 'boolean') return value;
	if (value === 'true' || value === 'false') return value === 'true';
	return refuse(`is ${describe(value)}, not true or false`, 'Use true or false');
}

export function checkChoice(value: unknown, choices: readonly string[], refuse: Refuse): string | undefined {
	const choice = choices.find((one) => typeof value === 'string' && one.toLowerCase() === value.toLowerCase());
	return choice ?? refuse(`${describe(value)} is not one of its values`, `Use ${choices.join(', ')}`);
}

export function checkStrings(value: unknown, { max, items }: TextsRule, refuse: Refuse): string[] | undefined {
	const list = partsOf(value).filter((one) => !isNothing(one));
	if (list.some((entry) => !['string', 'number', 'boolean'].includes(typeof entry) || Number.isNaN(entry))) {
		return refuse('contains something that is not text', 'Enter a list of texts');
	}
	const texts = list.map(String);
	const refused = texts.map(unsendable).find((one) => one !== undefined);
	if (refused) return refuse(refused.what, refused.remedy);
	if (texts.length > items) return refuse(`has ${texts.length} entries`, `Use ${items} at most`);
	if (texts.some((text) => charactersOf(text) > max)) {
		return refuse(`has an entry longer than ${max} characters`, 'Shorten it');
	}
	return texts.length > 0 ? texts : undefined;
}
