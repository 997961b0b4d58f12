import type { IDataObject } from 'n8n-workflow';
import { LOOPBACK_HOST } from '../../service/loopback';
import { foundNothing, isNothing, partOf, type Given } from './given';
import { refusedForGlue } from './glued';
import { momentOf } from './moments';
import type { Problems } from './problems';
import {
	checkBoolean,
	checkChoice,
	checkNumber,
	checkString,
	checkStrings,
	describe,
	partsOf,
	plainOf,
	type NumberRule,
	type Refuse,
	type TextRule,
	type TextsRule,
} from './values';

/** What the service allows for one property of an input object (docs/service.md), and how the form calls it. */
export type PropertyRule = {
	label: string;
	required?: boolean;
	/**
	 * An empty value is allowed here, such as for a person without a telephone. Everywhere else empty stands for a
	 * default, for everything or for no limit, and an expression that finds nothing is refused.
	 */
	mayBeNothing?: boolean;
} & (
	| TextRule
	| NumberRule
	| { type: 'boolean' }
	/** One of them; or one or several, each once: a list, or text with commas. */
	| { type: 'choice' | 'choices'; choices: readonly string[] }
	| TextsRule
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
	const allowed = Object.keys(rules).join(', ');
	if (typeof input !== 'object' || input === null || Array.isArray(input)) {
		problems.add(place.label, `is ${describe(input)}, not an object`, `Enter an object with ${allowed}`);
		return {};
	}
	for (const name of Object.keys(input)) {
		if (Object.hasOwn(rules, name)) continue;
		problems.add(place.label, `has an unknown property "${name}"`, `Remove it; allowed are ${allowed}`);
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
	const refuse: Refuse = (what, remedy) => void problems.add(parameter, what, remedy);
	if (isNothing(given.value)) {
		if (rule.type === 'choices' && rule.required) {
			return refuse('nothing is chosen', `Choose at least one of ${rule.choices.join(', ')}`);
		}
		if (!rule.mayBeNothing && refusedForNothing(given, parameter, problems, rule.required)) return undefined;
		return rule.required ? refuse('is missing', 'Fill it in') : undefined;
	}
	if (refusedForGlue(given, parameter, problems)) return undefined;
	const value = plainOf(given.value);
	switch (rule.type) {
		case 'string':
		case 'id':
			return checkString(value, rule, refuse);
		case 'integer':
		case 'number':
			return checkNumber(value, rule, refuse);
		case 'boolean':
			return checkBoolean(value, refuse);
		case 'choice':
			return checkChoice(value, rule.choices, refuse);
		case 'choices': {
			const chosen = partsOf(given.value).map((one) => checkChoice(plainOf(one), rule.choices, refuse));
			return [...new Set(chosen.filter((one) => one !== undefined))];
		}
		case 'strings':
			return checkStrings(given.value, rule, refuse);
		case 'moment':
			return (
				momentOf(value, rule.timezone) ??
				refuse(
					`${describe(value)} is not a valid ISO 8601 date and time in ${rule.timezone}`,
					'Use one such as 2026-12-31T18:00:00, or with an offset 2026-12-31T18:00:00+01:00',
				)
			);
	}
}

/** Adds a problem if an expression found nothing for this parameter: whoever wrote it did not mean to leave it empty. */
export function refusedForNothing(given: Given, parameter: string, problems: Problems, required = false): boolean {
	if (!foundNothing(given)) return false;
	const remedy = required ? 'Correct the expression' : 'Correct the expression, or clear the parameter';
	problems.add(parameter, 'its expression found nothing', remedy);
	return true;
}
