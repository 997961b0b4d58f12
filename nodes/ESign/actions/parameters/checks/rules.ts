import type { IDataObject } from 'n8n-workflow';
import { LOOPBACK_HOST } from '../../../service/loopback';
import { foundNothing, isNothing, partOf, type Given } from './given';
import { momentOf } from './moments';
import type { Problems } from './problems';
import { hasInvisible, unsendable, withoutInvisibleEnds } from './text';

/** What the service allows for one property of an input object (docs/service.md), and how the form calls it. */
export type PropertyRule = {
	label: string;
	required?: boolean;
	/**
	 * Nothing is an answer of its own here, such as for a person without a telephone. Everywhere else empty stands for a
	 * default, for everything or for no limit, and an expression that finds nothing is refused.
	 */
	mayBeNothing?: boolean;
} & (
	| { type: 'string'; max?: number; pattern?: RegExp; form?: string }
	/** An ID as the service gives it, or what takes its place: nothing that cannot be seen belongs to it. */
	| { type: 'id'; max?: number }
	| { type: 'integer' | 'number'; min: number; max?: number }
	| { type: 'boolean' }
	| { type: 'choice'; choices: readonly string[] }
	/** One or several of them, each once: a list, or text with commas. */
	| { type: 'choices'; choices: readonly string[] }
	| { type: 'strings'; max: number; items: number }
	| { type: 'moment'; timezone: string }
);

export type PropertyRules = Record<string, PropertyRule>;

/** Where an input object came from: `Recipients > 2` in the form, `Recipients (JSON) > 2` otherwise. */
export interface Place {
	label: string;
	/** JSON is told about by its property names, the form by its labels. */
	json: boolean;
}

/** https only, as the service demands; checked before a request is spent on it. */
export const HTTPS_URI = /^https:\/\/[^\s/?#]\S*$/i;

/** As HTTPS_URI; plain http is for a receiver on this machine, which has no certificate. */
export const WEBHOOK_URI = new RegExp(
	String.raw`^(https:\/\/[^\s/?#]|http:\/\/${LOOPBACK_HOST}(:\d+)?(?=[/?#]|$))\S*$`,
	'i',
);

/** Refuses only what can be no e-mail address anywhere; the service has the last word. */
export const EMAIL = /^[^\s@"<>,;:()[\]\\]+@[^\s@"<>,;:()[\]\\.]+(\.[^\s@"<>,;:()[\]\\.]+)+$/;

/**
 * Checks one input object against its rules and returns it with only the properties that are set, in the types that
 * the service wants. Texts are trimmed; numbers and booleans that expressions deliver as text are accepted as such, and
 * so are texts that a spreadsheet delivers as numbers.
 */
export function checkObject(given: Given, rules: PropertyRules, place: Place, problems: Problems): IDataObject {
	if (refusedForNothing(given, place.label, problems)) return {};
	const { value: input = {} } = given;
	if (typeof input !== 'object' || input === null || Array.isArray(input)) {
		problems.add(place.label, `is ${describe(input)}, not an object`, `Give an object with ${allowed(rules)}`);
		return {};
	}
	for (const name of Object.keys(input)) {
		if (Object.hasOwn(rules, name)) continue;
		problems.add(place.label, `has an unknown property "${name}"`, `Remove it; allowed are ${allowed(rules)}`);
	}
	const checked: IDataObject = {};
	for (const [name, rule] of Object.entries(rules)) {
		const parameter = `${place.label} > ${place.json ? name : rule.label}`;
		const value = checkValue(partOf(given, name), rule, parameter, problems);
		if (value !== undefined) checked[name] = value;
	}
	return checked;
}

/** Checks one value; undefined when it is not set or not acceptable (the problem is then added). */
export function checkValue(
	given: Given,
	rule: PropertyRule,
	parameter: string,
	problems: Problems,
): string | number | boolean | string[] | undefined {
	if (isNothing(given.value)) {
		if (rule.required) problems.add(parameter, 'is missing', 'Fill it in');
		else if (!rule.mayBeNothing) refusedForNothing(given, parameter, problems);
		return undefined;
	}
	const value = rule.type === 'strings' || rule.type === 'choices' ? given.value : plainOf(given.value);
	switch (rule.type) {
		case 'string':
		case 'id':
			return checkString(value, rule, parameter, problems);
		case 'integer':
		case 'number':
			return checkNumber(value, rule, parameter, problems);
		case 'boolean':
			if (typeof value === 'boolean') return value;
			if (value === 'true' || value === 'false') return value === 'true';
			problems.add(parameter, `is ${describe(value)}, not true or false`, 'Use true or false');
			return undefined;
		case 'choice':
			return checkChoice(value, rule.choices, parameter, problems);
		case 'choices': {
			const list: unknown[] = typeof value === 'string' ? value.split(',') : [value].flat();
			const chosen = list.map((one) => checkChoice(plainOf(one), rule.choices, parameter, problems));
			return [...new Set(chosen.filter((one) => one !== undefined))];
		}
		case 'strings':
			return checkStrings(value, rule, parameter, problems);
		case 'moment': {
			const moment = momentOf(value, rule.timezone);
			if (moment !== undefined) return moment;
			const what = `${describe(value)} is not a valid ISO 8601 date and time in ${rule.timezone}`;
			problems.add(parameter, what, 'Use one such as 2026-12-31T18:00:00, or with an offset 2026-12-31T18:00:00+01:00');
			return undefined;
		}
	}
}

function checkChoice(
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

/** Adds a problem if an expression found nothing for this parameter: whoever wrote it did not mean to leave it empty. */
export function refusedForNothing(given: Given, parameter: string, problems: Problems): boolean {
	if (!foundNothing(given)) return false;
	problems.add(parameter, 'its expression found nothing', 'Correct the expression, or clear the parameter');
	return true;
}

/**
 * A value without what surrounds it: a list of one, as lookups in databases give, is that one, and text is trimmed.
 */
function plainOf(value: unknown): unknown {
	const [only] = Array.isArray(value) && value.length === 1 ? (value as unknown[]) : [value];
	const plain = Array.isArray(only) ? value : only;
	return typeof plain === 'string' ? plain.trim() : plain;
}

/** What a DateTime or a Date that names no time becomes in a text. n8n makes texts of them before a node sees them. */
export const INVALID_DATE = /\bInvalid Date(?:Time)?\b/;

/** The length of a text as the service counts it: in characters, where an emoji is one and not two. */
export function charactersOf(text: string): number {
	return [...text].length;
}

function checkString(
	value: unknown,
	rule: PropertyRule & { type: 'string' | 'id' },
	parameter: string,
	problems: Problems,
): string | undefined {
	if (typeof value !== 'string' && typeof value !== 'bigint' && !Number.isFinite(value)) {
		problems.add(parameter, `is ${describe(value)}, not text`, 'Give a text');
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
		problems.add(parameter, `"${text}" holds a date that does not exist`, 'Give the expression a date that exists');
		return undefined;
	}
	const characters = charactersOf(text);
	if (characters > (rule.max ?? Infinity)) {
		problems.add(parameter, `has ${characters} characters`, `Shorten it to ${rule.max} at most`);
	} else if (pattern && !pattern.test(text)) {
		problems.add(
			parameter,
			`"${text}" is not ${(rule.type === 'string' && rule.form) || 'of the expected form'}`,
			'Correct it',
		);
	} else if (isExact && hasInvisible(text)) {
		problems.add(parameter, `"${text}" holds a character that cannot be seen`, 'Type it anew');
	} else {
		return text;
	}
	return undefined;
}

function checkNumber(
	value: unknown,
	rule: PropertyRule & { type: 'integer' | 'number' },
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

function checkStrings(
	value: unknown,
	rule: PropertyRule & { type: 'strings' },
	parameter: string,
	problems: Problems,
): string[] | undefined {
	const list: unknown[] = typeof value === 'string' ? value.split(',').map((part) => part.trim()) : [value].flat();
	const given = list.filter((entry) => !isNothing(entry));
	if (given.some((entry) => !['string', 'number', 'boolean'].includes(typeof entry) || Number.isNaN(entry))) {
		problems.add(parameter, 'holds something that is not text', 'Give a list of texts');
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

function allowed(rules: PropertyRules): string {
	return Object.keys(rules).join(', ');
}

/** A value as a message names it. */
export function describe(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'object') return 'an object';
	return typeof value === 'string' ? `"${value}"` : String(value);
}
