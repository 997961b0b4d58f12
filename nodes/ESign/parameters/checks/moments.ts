import { tryToParseDateTime } from 'n8n-workflow';

/** What luxon's DateTime has, as `$now` and `DateTime.fromISO()` give it. */
type DateTime = ReturnType<typeof tryToParseDateTime>;

/** The text of a date and, as far as it was written, of a time and an offset. */
type IsoText = { day: string; time?: string; offset?: string };

const MIDNIGHT = '00:00:00.000';

/**
 * ISO 8601 as n8n's date picker and other programs write it: a day, then perhaps a time, then perhaps its offset from UTC.
 * Everything else would have to be guessed: 03.04.2026 is a day in March or in April, and JavaScript takes
 * `Version 3` for a date.
 */
const ISO =
	/^(?<year>\d{4})(?<dash>-?)(?<month>\d\d)\k<dash>(?<date>\d\d)(?:[T ](?<hour>\d\d)(?::?(?<minute>\d\d)(?::?(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?)? ?(?:(?<zulu>Z)|(?<sign>[+-])(?<hours>\d\d)(?::?(?<minutes>\d\d))?)?)?$/i;

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
	const text = isoText(value);
	if (!text) return undefined;
	const written = `${text.day}T${text.time ?? MIDNIGHT}`;
	const moment = tryToParseDateTime(`${written}${text.offset ?? ''}`, timezone);
	const clock = moment.toFormat("yyyy-MM-dd'T'HH:mm:ss.SSS");
	// A day that begins at one in the morning, as some do where clocks are set forward at midnight, begins then.
	if (clock !== written && !(text.time === undefined && clock.startsWith(text.day))) return undefined;
	// Which of two equal hours luxon takes depends on the season in which it is asked.
	const [first = moment] = moment.getPossibleOffsets();
	return ofFourDigitYear(first.toUTC().toISO());
}

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
		// A Date without a time, or at an end of time; or what throws when it is asked what it is.
		return undefined;
	}
}

/** The parts of a text in ISO 8601 whose day is in the calendar and whose time is on the clock. */
function isoText(text: string): IsoText | undefined {
	const parts: Record<string, string | undefined> | undefined = ISO.exec(text.trim())?.groups;
	if (!parts) return undefined;
	const { hour, minute = '00', second = '00', fraction = '', zulu, sign, hours, minutes = '00' } = parts;
	const day = `${parts.year}-${parts.month}-${parts.date}`;
	const time = hour && `${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}`;
	// JavaScript goes on from the 30th of February to March.
	const written = new Date(`${day}T${time ?? MIDNIGHT}Z`);
	if (Number.isNaN(written.getTime()) || !written.toISOString().startsWith(day)) return undefined;
	if (sign === undefined) return { day, time, offset: zulu };
	// The clocks of the world are from twelve hours behind to fourteen hours ahead.
	if (Number(hours) * 60 + Number(minutes) > 14 * 60 || Number(minutes) > 59) return undefined;
	return { day, time, offset: `${sign}${hours}:${minutes}` };
}
