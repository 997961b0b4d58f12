import { ExpressionParser } from 'n8n-workflow';
import type { Refuse } from './problems';
import { isInvisible } from './text';

/** What a parameter, or a part of one, holds for an item. */
export interface ParameterValue {
	value: unknown;
	/**
	 * What the workflow holds in its place: it alone tells an expression that found nothing from a
	 * parameter that was left empty. Undefined for what came with a larger value, such as an entry of
	 * a JSON list.
	 */
	raw?: unknown;
	/** Whether an expression may have put together the larger value that it came with. */
	isGlued?: boolean;
	/** Whether a model wrote the larger value that it came with. */
	isByModel?: boolean;
	/** What a part of an expression gives for this item, such as `{{ $json.name }}`. */
	evaluate?(part: string): unknown;
}

function propertyOf(holder: unknown, key: string | number): unknown {
	if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key))
		return undefined;
	return (holder as Record<string | number, unknown>)[key];
}

export function partOf(
	{ value, raw, ...rest }: ParameterValue,
	key: string | number,
): ParameterValue {
	return { ...rest, value: propertyOf(value, key), raw: propertyOf(raw, key) };
}

/**
 * Nothing to work with: undefined, null, an empty list, or text without a character that can be
 * seen.
 */
export function isNothing(value: unknown): boolean {
	if (typeof value === 'string') return isInvisible(value);
	return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/**
 * Whether an expression stands here that a person wrote. What a model writes, or leaves out, in a
 * tool call is its own.
 */
function isExpression(raw: unknown): raw is string {
	return typeof raw === 'string' && /^=.*\{\{/s.test(raw) && !FROM_MODEL.test(raw);
}

const FROM_MODEL = /\$fromAI\s*\(/i;

/** What a model writes for nothing: `null`, `undefined`, `None`, `N/A`, quotes alone. */
const SAID_NOTHING = /^\s*(?:null|undefined|none|n\/?a|""|'')\s*$/i;

export function isByModel({ raw, isByModel }: ParameterValue): boolean {
	return isByModel === true || (typeof raw === 'string' && FROM_MODEL.test(raw));
}

/** Whether nothing was given, or a model said so in a word. */
export function isLeftOut(given: ParameterValue): boolean {
	const { value } = given;
	if (isNothing(value)) return true;
	return typeof value === 'string' && isByModel(given) && SAID_NOTHING.test(value);
}

/** Whether an expression was asked for a value and found none. */
export function foundNothing({ value, raw }: ParameterValue): boolean {
	return isNothing(value) && isExpression(raw);
}

/**
 * Refuses what an expression found nothing for: whoever wrote it did not mean to leave it empty.
 */
export function refusedForNothing(
	given: ParameterValue,
	refuse: Refuse,
	required = false,
): boolean {
	if (!foundNothing(given)) return false;
	refuse(
		'its expression found nothing',
		`Correct the expression${required ? '' : ', or clear the parameter'}`,
	);
	return true;
}

/** Lookups in databases and tables give a list of the one value that they found, or of none. */
export function onlyOf(value: unknown): unknown {
	if (!Array.isArray(value) || value.length > 1) return value;
	const [only] = value as unknown[];
	return Array.isArray(only) ? value : only;
}

/** A value without what surrounds it: a list of one is that one, and text is trimmed. */
export function unwrap(value: unknown): unknown {
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

/** `null and void` is a phrase of contracts, in English and in German. */
const NULL = String.raw`(?:null)+(?! (?:and|or) (?:void|of no)\b| und nichtig)`;

/** What JavaScript writes for a value that is not there, or that has no text. */
const WORD = new RegExp(
	String.raw`undefined|\[object \w+\]|(?<!\p{L})(?:${NULL}|NaN)(?!\p{L})`,
	'u',
);

const QUOTED = /(["'])(?:\\.|(?!\1).)*\1/gs;

/**
 * An expression that hands over one value as it was found, or chooses among several, once its
 * quoted texts are taken out: `={{ $json.name }}`, `={{ $('Form').first().json['Full name'] ??
 * $json.name }}`. Everything else may glue.
 */
const READS =
	/^(?:[\p{L}\p{N}_$\s.?:|&!=<>[\]]|(?<=\$|\.(?:first|last|all|itemMatching|trim))\(\d*\))*$/u;

const CORRECT =
	'Correct the expression. A part that may be empty is written {{ $json.middleName ?? "" }}, and of an object a property is named, such as {{ $json.client.name }}';

/** The code of the expressions in a parameter, or the text around them. */
function partsOf(raw: unknown, type: 'code' | 'text'): string[] {
	const parts = typeof raw === 'string' ? ExpressionParser.splitExpression(raw) : [];
	return parts.filter((part) => part.type === type).map(({ text }) => text);
}

/** Whether a value may have been put together by its expression. */
export function isGlued(raw: unknown): boolean {
	if (!isExpression(raw)) return false;
	return (
		partsOf(raw, 'text').join('').trim() !== '=' ||
		!READS.test(partsOf(raw, 'code').join().replace(QUOTED, ''))
	);
}

/**
 * Refuses a text with a gap, which n8n leaves for a part that found nothing, or with a word of
 * JavaScript in it that stands neither in what was typed nor in a single value that was handed over
 * as it is: a mistake, which would stand in a contract. The text itself is not told: it may be a
 * PIN.
 */
export function refusedForGlue(
	{ value, raw, evaluate, ...larger }: ParameterValue,
	refuse: Refuse,
): boolean {
	if (!larger.isGlued && !isGlued(raw)) return false;
	const codes = partsOf(raw, 'code');
	if (evaluate && codes.some((code) => isNothingFound(`{{${code}}}`, evaluate))) {
		refuse('has a gap, because a part of its expression found nothing', CORRECT);
		return true;
	}
	const texts = [unwrap(value)].flat().filter((one) => typeof one === 'string');
	const [word] = texts.flatMap((text) => WORD.exec(text)?.[0] ?? []);
	const typed = [...partsOf(raw, 'text'), ...codes.flatMap((code) => code.match(QUOTED) ?? [])];
	if (word === undefined || typed.some((one) => one.includes(word))) return false;
	refuse(`contains "${word}", because a part of its expression gave no text`, CORRECT);
	return true;
}

function isNothingFound(part: string, evaluate: NonNullable<ParameterValue['evaluate']>): boolean {
	try {
		return (evaluate(part) ?? null) === null;
	} catch {
		// The whole was evaluated: n8n reads it in another way.
		return false;
	}
}

/**
 * Text of an n8n expression that was not evaluated, which no contract holds.
 *
 * | text                              |                                       |
 * | `Contract for {{ $json.company }}` | refused                              |
 * | `{{ $('Form').item.json.name }}`  | refused                               |
 * | `{{ $now.toISODate() }}`          | refused                               |
 * | `$json.title`                     | refused                               |
 * | `$('Form').item.json.title`       | refused                               |
 * | `{{name}} and {{ 5 $ }}`          | fine: marks of another program        |
 * | `$json is what we call it`        | fine                                  |
 * | `$5,000 a month`                  | fine                                  |
 */
const WHOLE =
	/^\$(?:(?:json|binary|input|node|vars|execution|workflow)(?:\.\S*|\[["'].*)|\(["'].*)$/;

function holdsExpression(text: string): boolean {
	if (WHOLE.test(text.trim())) return true;
	return ExpressionParser.splitExpression(text).some(
		(part) => part.type === 'code' && part.hasClosingBrackets && /\$[\w(["']/.test(part.text),
	);
}

/** Refuses the text of an expression, wherever somebody forgot to switch to Expression. */
export function refusedForExpressionText({ value, raw }: ParameterValue, refuse: Refuse): boolean {
	const texts = [value].flat().filter((one): one is string => typeof one === 'string');
	if (!texts.some(holdsExpression)) return false;

	const isFixed = typeof raw === 'string' && !raw.startsWith('=');
	const remedy = isFixed
		? 'Switch it to Expression'
		: 'Switch it to Expression where it was written, here or in an earlier node';
	refuse('contains an expression as text, because it was set to Fixed', remedy);
	return true;
}

/** Refuses a text that nobody meant: with a gap, a word of JavaScript, or an expression in it. */
export function refusedForMistake(given: ParameterValue, refuse: Refuse): boolean {
	if (refusedForExpressionText(given, refuse)) return true;
	return refusedForGlue(given, refuse);
}
