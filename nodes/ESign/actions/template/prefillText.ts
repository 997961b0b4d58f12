import { dayOf, describe, INVALID_DATE, isNothing, unsendable, type Refusal } from '../../parameters';
import type { PrefillKind } from '../../service/prefill';

/** The text that the service takes for a value, empty if there is none; or why the value is refused. */
export type Prefill = { text: string } | Refusal;

/**
 * A value as the service reads it (docs/service.md section 10, 25): a tick is `true` or `false`, a date YYYY-MM-DD. Text is
 * left to the service, which knows what fits its field, except for dates: those it would have to guess.
 *
 * @param kind what the field takes; undefined where the template is not known
 */
export function prefillText(value: unknown, kind: PrefillKind | undefined, timezone: string): Prefill {
	try {
		const plain = onlyOne(value);
		if (typeof plain === 'string') return fromText(plain, kind, timezone);
		if (plain === undefined || plain === null) return { text: '' };
		const text = textOf(plain, kind, timezone);
		return text === undefined ? refusal(plain, kind) : { text };
	} catch {
		// An object that throws whatever it is asked.
		return { what: 'is an object that cannot be read', remedy: 'Enter a text, a number or a date' };
	}
}

/** Lookups in databases and tables give a list of the one value that they found. */
function onlyOne(value: unknown): unknown {
	if (!Array.isArray(value) || value.length > 1) return value;
	const [only] = value as unknown[];
	return Array.isArray(only) ? value : only;
}

function fromText(text: string, kind: PrefillKind | undefined, timezone: string): Prefill {
	if (kind === 'boolean' && /^\s*(true|false)\s*$/i.test(text)) return { text: text.trim().toLowerCase() };
	if (INVALID_DATE.test(text)) {
		return { what: `"${text}" contains a date that does not exist`, remedy: 'Use a date that exists' };
	}
	const refused = unsendable(text);
	if (refused) return refused;
	if (isNothing(text)) return { text: '' };
	if (kind !== 'dateTime') return { text };
	const day = dayOf(text, timezone);
	return day === undefined ? refusal(text, kind) : { text: day };
}

/** What stands in the document for a value that is no text; undefined if the field does not take it. */
function textOf(value: NonNullable<unknown>, kind: PrefillKind | undefined, timezone: string): string | undefined {
	switch (typeof value) {
		case 'number':
			return kind === 'dateTime' || !Number.isFinite(value) ? undefined : digits(value, kind);
		case 'bigint':
			return kind === 'boolean' || kind === 'dateTime' ? undefined : String(value);
		case 'boolean':
			return kind === 'number' || kind === 'dateTime' ? undefined : String(value);
		default:
			// Of objects only a Date or a DateTime has one text that a person would expect in a contract.
			return kind === 'number' || kind === 'boolean' ? undefined : dayOf(value, timezone);
	}
}

function digits(number: number, kind: PrefillKind | undefined): string | undefined {
	if (kind === 'boolean') return number === 0 || number === 1 ? String(number === 1) : undefined;
	const text = String(number);
	// A contract shows 1000000000000000000000 and 0.0000001, not 1e+21 and 1e-7.
	if (!text.includes('e')) return text;
	return number.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 });
}

const TEXT = ['is %, not text', 'Enter a text, a number or a date'] as const;

const WANTED: Record<PrefillKind, readonly [what: string, remedy: string]> = {
	dateTime: ['% is not a valid date', 'Use YYYY-MM-DD, or a DateTime value such as {{ $now }}'],
	boolean: ['is %, not true or false', 'Use true or false'],
	number: ['is %, not a number', 'Enter a number'],
	string: TEXT,
};

function refusal(value: unknown, kind: PrefillKind | undefined): Refusal {
	if (Array.isArray(value)) return { what: `is a list of ${value.length} values`, remedy: 'Enter a single value' };
	const [what, remedy] = kind ? WANTED[kind] : TEXT;
	return { what: what.replace('%', () => describe(value)), remedy };
}
