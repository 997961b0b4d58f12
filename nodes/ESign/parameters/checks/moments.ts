import { tryToParseDateTime } from 'n8n-workflow';

/** What luxon's DateTime has, as `$now` and `DateTime.fromISO()` give it. */
type DateTime = ReturnType<typeof tryToParseDateTime>;

const CLOCK = String.raw`(?:[01]\d|2[0-3])(?::?[0-5]\d(?::?[0-5]\d(?:[.,]\d{1,9})?)?)?`;

/** The clocks of the world are from twelve hours behind to fourteen hours ahead. */
const OFFSET = String.raw`Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?`;

/**
 * ISO 8601 as n8n's date picker and other programs write it: a day, then perhaps a time, then perhaps its offset from UTC.
 * Everything else would have to be guessed: 03.04.2026 is a day in March or in April, and JavaScript takes
 * `Version 3` for a date.
 */
const ISO = new RegExp(
	String.raw`^(\d{4})(-?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?:[T ](${CLOCK})(?: ?(${OFFSET}))?)?$`,
	'i',
);

/** The text of a date and, as far as it was written, of a time and an offset. */
function isoText(text: string): { day: string; time?: string; offset?: string } | undefined {
	const [found, year, , month, date, time, offset] = ISO.exec(text.trim()) ?? [];
	const day = `${year}-${month}-${date}`;
	// JavaScript goes on from the 30th of February to March.
	return found && new Date(day).toISOString().startsWith(day) ? { day, time, offset } : undefined;
}

/**
 * The calendar day that a value names, as YYYY-MM-DD: as it is written, whatever the offset behind it, or for a Date the
 * day that it is in the timezone of the workflow. Undefined if it names none.
 */
export function dayOf(value: unknown, timezone: string): string | undefined {
	if (typeof value === 'string') return isoText(value)?.day;
	return ofFourDigitYear(dateTimeOf(value, timezone)?.toISODate());
}

/**
 * The moment that a value names, as the service writes it: ISO 8601 in UTC with milliseconds. Text without an offset
 * is read in the timezone of the workflow, and a day alone as its beginning. Where clocks are set back an hour comes twice:
 * then it is the first. Undefined if the value names no moment, such as one in the hour that is left out where clocks
 * are set forward.
 */
export function momentOf(value: unknown, timezone: string): string | undefined {
	if (typeof value !== 'string') return ofFourDigitYear(dateTimeOf(value, timezone)?.toUTC().toISO());
	const { day, time, offset = '' } = isoText(value) ?? {};
	if (day === undefined) return undefined;
	const written = `${day}T${time ?? '00'}`;
	const moment = tryToParseDateTime(`${written}${offset}`, timezone);
	// A day that begins at one in the morning, as some do where clocks are set forward at midnight, begins then.
	const isThere =
		time === undefined ? moment.toISODate() === day : clockOf(moment) === clockOf(tryToParseDateTime(written, 'UTC'));
	if (!isThere) return undefined;
	// Which of two equal hours luxon takes depends on the season in which it is asked.
	const [first = moment] = moment.getPossibleOffsets();
	return ofFourDigitYear(first.toUTC().toISO());
}

const clockOf = (moment: DateTime) => moment.toISO({ includeOffset: false });

function ofFourDigitYear(text: string | null | undefined): string | undefined {
	return text && /^\d{4}-/.test(text) ? text : undefined;
}

function dateTimeOf(value: unknown, timezone: string): DateTime | undefined {
	if (typeof value !== 'object' || value === null) return undefined;
	try {
		// n8n evaluates expressions in a context of its own, so neither can be told by its class.
		if (Object.prototype.toString.call(value) === '[object Date]') {
			return tryToParseDateTime(new Date(Date.prototype.getTime.call(value)), timezone);
		}
		const { isLuxonDateTime, isValid, toUTC } = value as Partial<DateTime> & { isLuxonDateTime?: unknown };
		const isDateTime = isLuxonDateTime === true && isValid === true && typeof toUTC === 'function';
		return isDateTime ? tryToParseDateTime(value, timezone) : undefined;
	} catch {
		// A Date without a time, or at an end of time.
		return undefined;
	}
}
