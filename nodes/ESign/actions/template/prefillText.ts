import { dayOf, describe, isFit, isNothing, onlyOf, type Refuse } from '../../operation';
import { MAX_LENGTH } from '../../service/limits';
import type { PrefillKind } from '../../service/prefill';

/**
 * A value as the service reads it (docs/service.md section 10, 25): a tick is `true` or `false`, a
 * date YYYY-MM-DD. Text is left to the service, which knows what fits its field, except for dates:
 * those it would have to guess.
 *
 * @param kind what the field takes; text where the template is not known
 * @returns empty if there is no value, undefined if it is refused
 */
export function prefillText(
	value: unknown,
	kind: PrefillKind = 'string',
	timezone: string,
	refuse: Refuse,
): string | undefined {
	const plain = onlyOf(value);
	if (plain === undefined || plain === null) return '';
	const found = typeof plain === 'string' ? plain : textOf(plain, kind, timezone);
	if (found === undefined) return refuseFor(plain, kind, refuse);
	if (!isFit(found, MAX_LENGTH.fieldValue, refuse)) return undefined;
	if (isNothing(found)) return '';
	if (kind === 'boolean' && /^\s*(true|false)\s*$/i.test(found)) return found.trim().toLowerCase();
	return kind === 'dateTime' ? (dayOf(found, timezone) ?? refuseFor(found, kind, refuse)) : found;
}

/**
 * What a field takes that is no text. Of objects only a Date or a DateTime has one text that a
 * person would expect in a contract.
 */
const TAKES: Record<PrefillKind, readonly string[]> = {
	boolean: ['boolean', 'number'],
	dateTime: ['object'],
	number: ['number', 'bigint'],
	string: ['number', 'bigint', 'boolean', 'object'],
};

/** Undefined if the field does not take it. */
function textOf(value: unknown, kind: PrefillKind, timezone: string): string | undefined {
	if (!TAKES[kind].includes(typeof value)) return undefined;
	if (typeof value === 'object') return dayOf(value, timezone);
	return typeof value === 'number' ? digits(value, kind) : String(value);
}

function digits(number: number, kind: PrefillKind): string | undefined {
	if (!Number.isFinite(number)) return undefined;
	if (kind === 'boolean') return number === 0 || number === 1 ? String(number === 1) : undefined;
	const text = String(number);
	// A contract shows 1000000000000000000000 and 0.0000001, not 1e+21 and 1e-7.
	if (!text.includes('e')) return text;
	return number.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 });
}

const WANTED: Record<PrefillKind, readonly [what: string, remedy: string]> = {
	dateTime: ['% is not a valid date', 'Use YYYY-MM-DD, or a DateTime value such as {{ $now }}'],
	boolean: ['is %, not true or false', 'Use true or false'],
	number: ['is %, not a number', 'Enter a number'],
	string: ['is %, not text', 'Enter a text, a number or a date'],
};

function refuseFor(value: unknown, kind: PrefillKind, refuse: Refuse): undefined {
	if (Array.isArray(value))
		return refuse(`is a list of ${value.length} values`, 'Enter a single value');
	const [what, remedy] = WANTED[kind];
	return refuse(
		what.replace('%', () => describe(value)),
		remedy,
	);
}
