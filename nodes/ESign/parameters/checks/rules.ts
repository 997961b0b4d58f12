import type { IDataObject } from 'n8n-workflow';
import { LOOPBACK_HOST } from '../../service/loopback';
import { describe, foundNothing, isNothing, partOf, plainOf, type Given } from './given';
import { refusedForGlue } from './glued';
import { momentOf } from './moments';
import type { Problems, Refuse } from './problems';
import { hasInvisible, unsendable, withoutInvisibleEnds } from './text';

/** What the service allows for one value (docs/service.md), and how the form calls it. */
export interface Rule {
	/** An ID is as the service gives it, or what takes its place: nothing that cannot be seen belongs to it. */
	type: 'string' | 'id' | 'strings' | 'integer' | 'number' | 'boolean' | 'choice' | 'choices' | 'moment';
	label: string;
	required?: boolean;
	/**
	 * An empty value is allowed here, such as for a person without a telephone. Everywhere else empty stands for a
	 * default, for everything or for no limit, and an expression that finds nothing is refused.
	 */
	mayBeNothing?: boolean;
	/** The least number. */
	min?: number;
	/** The largest number, or the most characters of a text. */
	max?: number;
	/** The most entries of a list. */
	items?: number;
	pattern?: RegExp;
	/** What fits the pattern, as messages name it. */
	form?: string;
	choices?: readonly string[];
}

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
 * Checks one input object and returns it with only the properties that are set, in the types that the service wants. Texts
 * are trimmed; numbers and booleans that expressions deliver as text are accepted as such, and so are texts that a spreadsheet
 * delivers as numbers.
 */
export function checkObject(
	given: Given,
	properties: ReadonlyArray<{ name: string; rule: Rule }>,
	{ label, json }: Place,
	{ problems, timezone }: { problems: Problems; timezone: string },
): IDataObject {
	const refuse = problems.at(label);
	if (refusedForNothing(given, refuse)) return {};
	const { value: input = {} } = given;
	const names = properties.map(({ name }) => name);
	const allowed = names.join(', ');
	if (typeof input !== 'object' || input === null || Array.isArray(input)) {
		refuse(`is ${describe(input)}, not an object`, `Enter an object with ${allowed}`);
		return {};
	}
	for (const name of Object.keys(input).filter((one) => !names.includes(one))) {
		refuse(`has an unknown property "${name}"`, `Remove it; allowed are ${allowed}`);
	}
	const checked: IDataObject = {};
	for (const { name, rule } of properties) {
		const of = problems.at(`${label} > ${json ? name : rule.label}`);
		const value = checkValue(partOf(given, name), rule, of, timezone);
		if (value !== undefined) checked[name] = value;
	}
	return checked;
}

/** Checks one value; undefined when it is not set or not acceptable, which is then told. */
export function checkValue(
	given: Given,
	rule: Rule,
	refuse: Refuse,
	timezone: string,
): string | number | boolean | string[] | undefined {
	if (isNothing(given.value)) {
		if (rule.type === 'choices' && rule.required) {
			return refuse('nothing is chosen', `Choose at least one of ${rule.choices?.join(', ')}`);
		}
		if (!rule.mayBeNothing && refusedForNothing(given, refuse, rule.required)) return undefined;
		return rule.required ? refuse('is missing', 'Fill it in') : undefined;
	}
	if (refusedForGlue(given, refuse)) return undefined;
	const value = plainOf(given.value);
	switch (rule.type) {
		case 'string':
		case 'id':
			return checkText(value, rule, refuse);
		case 'strings':
			return checkTexts(partsOf(given.value), rule, refuse);
		case 'integer':
		case 'number':
			return checkNumber(value, rule, refuse);
		case 'boolean':
			if (typeof value === 'boolean') return value;
			if (value === 'true' || value === 'false') return value === 'true';
			return refuse(`is ${describe(value)}, not true or false`, 'Use true or false');
		case 'choice':
			return checkChoice(value, rule, refuse);
		case 'choices': {
			const chosen = partsOf(given.value).map((one) => checkChoice(plainOf(one), rule, refuse));
			return [...new Set(chosen.filter((one) => one !== undefined))];
		}
		case 'moment':
			return (
				momentOf(value, timezone) ??
				refuse(
					`${describe(value)} is not a valid ISO 8601 date and time in ${timezone}`,
					'Use one such as 2026-12-31T18:00:00, or with an offset 2026-12-31T18:00:00+01:00',
				)
			);
	}
}

/** Refuses what an expression found nothing for: whoever wrote it did not mean to leave it empty. */
export function refusedForNothing(given: Given, refuse: Refuse, required = false): boolean {
	if (!foundNothing(given)) return false;
	refuse('its expression found nothing', `Correct the expression${required ? '' : ', or clear the parameter'}`);
	return true;
}

/** The parts of a list, or of text with commas. */
function partsOf(value: unknown): unknown[] {
	return typeof value === 'string' ? value.split(',').map((part) => part.trim()) : [value].flat();
}

/** What a DateTime or a Date that names no time becomes in a text. n8n makes texts of them before a node sees them. */
const INVALID_DATE = /\bInvalid Date(?:Time)?\b/;

/** The length of a text as the service counts it: in characters, where an emoji is one and not two. */
export function charactersOf(text: string): number {
	return [...text].length;
}

/** This and those below check one kind of value each: undefined when it is not acceptable. */
export function checkText(
	value: unknown,
	{ type, max = Infinity, pattern, form }: Partial<Rule>,
	refuse: Refuse,
): string | undefined {
	if (typeof value !== 'string' && typeof value !== 'bigint' && !Number.isFinite(value)) {
		return refuse(`is ${describe(value)}, not text`, 'Enter text');
	}
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

function checkTexts(parts: unknown[], { max = 0, items = 0 }: Rule, refuse: Refuse): string[] | undefined {
	const list = parts.filter((one) => !isNothing(one));
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

function checkNumber(value: unknown, { type, min = 0, max = Infinity }: Rule, refuse: Refuse): number | undefined {
	const number = typeof value === 'string' ? Number(value) : value;
	const isWhole = type === 'integer';
	const isOfKind = isWhole ? Number.isInteger : Number.isFinite;
	if (typeof number === 'number' && isOfKind(number) && number >= min && number <= max) return number;
	const kind = isWhole ? 'a whole number' : 'a number';
	const range = max === Infinity ? `of ${min} or more` : `from ${min} to ${max}`;
	return refuse(`${describe(value)} is not ${kind} ${range}`, `Use ${kind} ${range}`);
}

function checkChoice(value: unknown, { choices = [] }: Rule, refuse: Refuse): string | undefined {
	const choice = choices.find((one) => typeof value === 'string' && one.toLowerCase() === value.toLowerCase());
	return choice ?? refuse(`${describe(value)} is not one of its values`, `Use ${choices.join(', ')}`);
}
