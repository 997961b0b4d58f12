import { isNothing } from '../../parameters/checks/given';
import { dayOf } from '../../parameters/checks/moments';
import { describe, INVALID_DATE } from '../../parameters/checks/values';
import { unsendable } from '../../parameters/checks/text';
import type { PrefillKind } from '../../service/prefill';

/** The text that the service takes for a value, empty if there is none; or why the value is refused. */
export type Prefill = { text: string } | { what: string; remedy: string };

const NONE: Prefill = { text: '' };

/** An object that throws whatever it is asked. */
const UNREADABLE: Prefill = { what: 'is an object that cannot be read', remedy: 'Enter a text, a number or a date' };

/**
 * A value as the service reads it (docs/service.md section 10, 25): a tick is `true` or `false`, a date YYYY-MM-DD. Text is
 * left to the service, which knows what fits its field, except for dates: those it would have to guess.
 *
 * @param kind what the field takes; undefined where the template is not known
 */
export function prefillText(value: unknown, kind: PrefillKind | undefined, timezone: string): Prefill {
	let plain: unknown;
	try {
		plain = onlyOne(value);
	} catch {
		return UNREADABLE;
	}
	switch (typeof plain) {
		case 'undefined':
			return NONE;
		case 'string':
			return fromText(plain, kind, timezone);
		case 'number':
			return fromNumber(plain, kind);
		case 'bigint':
			return kind === 'boolean' || kind === 'dateTime' ? refusal(plain, kind) : { text: String(plain) };
		case 'boolean':
			return kind === 'number' || kind === 'dateTime' ? refusal(plain, kind) : { text: String(plain) };
		default:
			return plain === null ? NONE : fromObject(plain, kind, timezone);
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
	if (isNothing(text)) return NONE;
	if (kind !== 'dateTime') return { text };
	const day = dayOf(text, timezone);
	return day === undefined ? refusal(text, kind) : { text: day };
}

function fromNumber(number: number, kind: PrefillKind | undefined): Prefill {
	if (kind === 'dateTime' || !Number.isFinite(number)) return refusal(number, kind);
	if (kind === 'boolean') return number === 0 || number === 1 ? { text: String(number === 1) } : refusal(number, kind);
	const text = String(number);
	// A contract shows 1000000000000000000000 and 0.0000001, not 1e+21 and 1e-7.
	if (!text.includes('e')) return { text };
	return { text: number.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 }) };
}

/** A Date or a DateTime; nothing else that is an object has one text that a person would expect in a contract. */
function fromObject(value: unknown, kind: PrefillKind | undefined, timezone: string): Prefill {
	const day = kind === 'number' || kind === 'boolean' ? undefined : dayOf(value, timezone);
	return day === undefined ? refusal(value, kind) : { text: day };
}

function refusal(value: unknown, kind: PrefillKind | undefined): Prefill {
	if (Array.isArray(value)) return { what: `is a list of ${value.length} values`, remedy: 'Enter a single value' };
	switch (kind) {
		case 'dateTime':
			return {
				what: `${describe(value)} is not a valid date`,
				remedy: 'Use YYYY-MM-DD, or a DateTime value such as {{ $now }}',
			};
		case 'boolean':
			return { what: `is ${describe(value)}, not true or false`, remedy: 'Use true or false' };
		case 'number':
			return { what: `is ${describe(value)}, not a number`, remedy: 'Enter a number' };
		default:
			return { what: `is ${describe(value)}, not text`, remedy: 'Enter a text, a number or a date' };
	}
}
