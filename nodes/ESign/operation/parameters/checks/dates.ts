import { tryToParseDateTime } from 'n8n-workflow';

/** What luxon's DateTime has, as `$now` and `DateTime.fromISO()` give it. */
type DateTime = ReturnType<typeof tryToParseDateTime>;

const TIME = String.raw`\d\d(?::?\d\d(?::?\d\d(?:[.,]\d{1,9})?)?)?`;

/** The clocks of the world are from twelve hours behind to fourteen hours ahead. */
const OFFSET = String.raw`Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?`;

/**
 * ISO 8601 as n8n's date picker and other programs write it: a day, then perhaps a time, then
 * perhaps its offset from UTC. Everything else would have to be guessed: 03.04.2026 is a day in
 * March or in April, and JavaScript takes `Version 3` for a date.
 */
const ISO = new RegExp(
	String.raw`^(\d{4}(-?)\d\d\2\d\d)(?:[T ](${TIME})(?: ?(${OFFSET}))?)?$`,
	'i',
);

/**
 * The day that a value names, as YYYY-MM-DD: as written, whatever its offset, or of a Date in the
 * timezone of the workflow.
 */
export function dayOf(value: unknown, timezone: string): string | undefined {
	return dateTimeOf(value, typeof value === 'string' ? 'UTC' : timezone)?.toISODate() ?? undefined;
}

/**
 * The moment that a value names, as the service writes it: ISO 8601 in UTC with milliseconds. Text
 * without an offset is read in the timezone of the workflow, and a day alone as its beginning.
 * Undefined if it names none.
 */
export function momentOf(value: unknown, timezone: string): string | undefined {
	return dateTimeOf(value, timezone)?.toUTC().toISO() ?? undefined;
}

function dateTimeOf(value: unknown, timezone: string): DateTime | undefined {
	try {
		if (typeof value === 'string') return ofText(value, timezone);
		// n8n evaluates expressions in a context of its own, so neither can be told by its class.
		if (Object.prototype.toString.call(value) === '[object Date]') {
			return tryToParseDateTime(new Date(Date.prototype.getTime.call(value)), timezone);
		}
		const { isLuxonDateTime, toUTC } = Object(value) as Partial<DateTime> & {
			isLuxonDateTime?: unknown;
		};
		return isLuxonDateTime === true && typeof toUTC === 'function'
			? (value as DateTime)
			: undefined;
	} catch {
		// There is no such day or time.
		return undefined;
	}
}

function ofText(text: string, timezone: string): DateTime | undefined {
	const [, day, , time, offset = ''] = ISO.exec(text.trim()) ?? [];
	if (day === undefined) return undefined;
	const written = time === undefined ? day : `${day}T${time}`;
	const moment = tryToParseDateTime(`${written}${offset}`, timezone);
	// An hour that is left out where clocks are set forward becomes the next, and the 30th of
	// February a day of March.
	if (!digitsOf(String(moment.toISO())).startsWith(digitsOf(written))) return undefined;
	// Where clocks are set back an hour comes twice: which luxon takes depends on the season in which
	// it is asked.
	return moment.getPossibleOffsets()[0];
}

/** Of a date and time without its offset, down to the millisecond. */
const digitsOf = (iso: string) => iso.replace(/\D/g, '').slice(0, 17);
