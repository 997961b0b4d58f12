const MONTHS = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });

const DEFAULT_FORMAT = 'yyyy-MM-dd';

/**
 * Writes an ISO date (`2026-11-21`, with or without a time) in the field's dateFormat
 * (docs/service.md section 2), in which yyyy, yy, MMMM, MMM, MM, M, dd and d stand for the parts.
 * Senders follow the customs of several libraries, so the case of y and d means nothing, nor does
 * that of mm and m. A text that is no date is returned as it was entered.
 */
export function formatDate(value: string, format: string | null | undefined): string {
	const [, year, month, day] = /^(\d{4})-(0[1-9]|1[0-2])-(\d{2})(?:$|T)/.exec(value.trim()) ?? [];
	if (!year || !month || !day) return value;
	const monthName = MONTHS.format(new Date(`${year}-${month}-01`));
	const parts: Record<string, string> = {
		yyyy: year,
		yy: year.slice(2),
		mmmm: monthName,
		mmm: monthName.slice(0, 3),
		mm: month,
		m: String(Number(month)),
		dd: day,
		d: String(Number(day)),
	};
	return (format || DEFAULT_FORMAT).replace(
		/y{4}|y{2}|m{1,4}|d{1,2}/gi,
		(token) => parts[token.toLowerCase()] ?? token,
	);
}

/** A moment as it stands under signatures and in certificates: `2026-11-21 05:40:12 UTC`. */
export function formatMoment(moment: Date): string {
	return `${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
