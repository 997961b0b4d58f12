import { isExpression, plainOf, type Given } from './given';
import type { Refuse } from './problems';

/** `null and void` is a phrase of contracts, in English and in German. */
const NULL = String.raw`(?:null)+(?! (?:and|or) (?:void|of no)\b| und nichtig)`;

/** What JavaScript writes for a value that is not there, or that has no text. */
const WORD = new RegExp(String.raw`undefined|\[object \w+\]|(?<!\p{L})(?:${NULL}|NaN)(?!\p{L})`, 'u');

const QUOTED = /(["'])(?:\\.|(?!\1).)*\1/gs;

/**
 * An expression that hands over one value as it was found, or chooses among several, once its quoted texts are taken out:
 * `={{ $json.name }}`, `={{ $('Form').first().json['Full name'] ?? $json.name }}`. Everything else may glue.
 */
const READS = /^(?:[\p{L}\p{N}_$\s.?:|&!=<>[\]]|(?<=\$|\.(?:first|last|all|itemMatching|trim))\(\d*\))*$/u;

const WHY: Readonly<Record<string, { why: string; remedy: string }>> = {
	'[': {
		why: 'a part of its expression is an object and not a text',
		remedy: 'Name the property that is meant, such as {{ $json.client.name }}',
	},
	N: { why: 'a part of its expression is not a number', remedy: 'Correct the calculation in the expression' },
};

const MISSING = {
	why: 'a part of its expression found nothing',
	remedy: 'Correct the expression. A part that may be empty is written {{ $json.middleName ?? "" }}',
};

/** Whether a value may have been put together by its expression. */
export function isGlued(raw: unknown): boolean {
	if (!isExpression(raw)) return false;
	const { outside, codes } = splitExpression(raw);
	return outside.join('').trim() !== '=' || !READS.test(codes.join().replace(QUOTED, ''));
}

/**
 * Refuses a text with a gap, which n8n leaves for a part that found nothing, or with a word of JavaScript in it that stands
 * neither in what was typed nor in a single value that was handed over as it is: a mistake, which would stand in a contract.
 * The text itself is not told: it may be a PIN.
 */
export function refusedForGlue({ value, raw, evaluate, ...larger }: Given, refuse: Refuse): boolean {
	if (!larger.isGlued && !isGlued(raw)) return false;
	const { outside, codes } = splitExpression(raw);
	if (evaluate && codes.some((code) => isNothingFound(`{{${code}}}`, evaluate))) {
		refuse(`has a gap, because ${MISSING.why}`, MISSING.remedy);
		return true;
	}
	const texts = [plainOf(value)].flat().filter((one) => typeof one === 'string');
	const [word] = texts.flatMap((text) => WORD.exec(text)?.[0] ?? []);
	const typed = [...outside, ...codes.flatMap((code) => code.match(QUOTED) ?? [])];
	if (word === undefined || typed.some((one) => one.includes(word))) return false;
	const { why, remedy } = WHY[word.charAt(0)] ?? MISSING;
	refuse(`contains "${word}", because ${why}`, remedy);
	return true;
}

function isNothingFound(part: string, evaluate: NonNullable<Given['evaluate']>): boolean {
	try {
		return (evaluate(part) ?? null) === null;
	} catch {
		// The whole was evaluated: n8n reads it in another way.
		return false;
	}
}

/** As n8n splits it: what stands around the expressions, and the code of each, which ends at the first `}}`. */
function splitExpression(raw: unknown): { outside: string[]; codes: string[] } {
	const outside: string[] = [];
	const codes: string[] = [];
	let rest = typeof raw === 'string' ? raw : '';
	for (;;) {
		const [before = '', ...behind] = rest.split(/(?<!\\)\{\{/);
		const inside = rest.slice(before.length + 2);
		const length = inside.search(/(?<!\\)\}\}/);
		if (behind.length === 0 || length < 0) return { outside: [...outside, rest], codes };
		outside.push(before);
		codes.push(inside.slice(0, length));
		rest = inside.slice(length + 2);
	}
}
