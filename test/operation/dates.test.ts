import { tryToParseDateTime } from 'n8n-workflow';
import { prefillText } from '../../nodes/ESign/actions/template/prefillText';
import { moment } from '../../nodes/ESign/operation/parameters';

type Spelling = {
	text: unknown;
	as?: 'Date' | 'DateTime' | 'list';
	day: string | null;
	moment: string | null;
};

/** Spellings that name the same day and moment everywhere, with both. */
const FIXED: Spelling[] = [
	{ text: '2026-03-04T10:15:30Z', day: '2026-03-04', moment: '2026-03-04T10:15:30.000Z' },
	{ text: '2026-03-04T10:15:30.123Z', day: '2026-03-04', moment: '2026-03-04T10:15:30.123Z' },
	{ text: '2026-03-04T10:15:30.123456789Z', day: '2026-03-04', moment: '2026-03-04T10:15:30.123Z' },
	{ text: '2026-03-04T23:30:00-08:00', day: '2026-03-04', moment: '2026-03-05T07:30:00.000Z' },
	{ text: '2026-03-04T00:30:00+0530', day: '2026-03-04', moment: '2026-03-03T19:00:00.000Z' },
	{ text: '2026-03-04 00:30:00+14', day: '2026-03-04', moment: '2026-03-03T10:30:00.000Z' },
	{ text: '20260304T101530Z', day: '2026-03-04', moment: '2026-03-04T10:15:30.000Z' },
	{ text: '2024-02-29T00:00:00Z', day: '2024-02-29', moment: '2024-02-29T00:00:00.000Z' },
	{
		text: '2026-03-04T10:00:00Z',
		as: 'list',
		day: '2026-03-04',
		moment: '2026-03-04T10:00:00.000Z',
	},
	{
		text: '2026-03-04T23:30:00+09:00',
		as: 'DateTime',
		day: '2026-03-04',
		moment: '2026-03-04T14:30:00.000Z',
	},
];

/** What no calendar has, what only a guess can read, and what is no date at all. */
const REFUSED = [
	...`
		March 4, 2026 | 4 March 2026 | 03.04.2026 | 04/03/2026 | 3/4/26 | 2026/03/04 | 2026-3-4 | 2026-03
		2026 | 2026-W10-3 | 2026-063 | Version 3 | Suite 12 | tomorrow | Wed, 04 Mar 2026 10:00:00 GMT
		Wed Mar 04 2026 10:00:00 GMT+0100 (Central European Standard Time) | 1772618400000 | 20260230
		2026-02-30 | 2026-02-29 | 2026-13-01 | 2026-00-10 | 2026-04-31T10:00:00Z | 2026-03-04T24:00:00Z
		2026-03-04T25:00:00 | 2026-03-04T10:60:00 | 2026-03-04T10:00:60Z | 2026-03-04T10:00:00+25:00
		2026-0304 | 2026-03-04T10:00:00Z and later | {"date": "2026-03-04"}
	`
		.split(/ \| |\n/)
		.map((text) => text.trim())
		.filter(Boolean),
	1772618400000,
	46085,
	2026,
	20260304,
	true,
	{ date: '2026-03-04' },
	['2026-03-04', '2026-03-05'],
	[['2026-03-04']],
].map((text) => ({ text, as: undefined, day: null, moment: null }));

const NO_DATE: Spelling = { text: 'no date', as: 'Date', day: null, moment: null };

/** Those whose moment, or whose day, is decided by the timezone of the workflow. */
const BY_TIMEZONE: Record<string, Spelling[]> = {
	'Europe/Berlin': [
		{ text: '2026-03-04', day: '2026-03-04', moment: '2026-03-03T23:00:00.000Z' },
		// The text of n8n's date picker.
		{ text: '2026-07-04T00:00:00', day: '2026-07-04', moment: '2026-07-03T22:00:00.000Z' },
		{ text: '2026-07-04 18:30', day: '2026-07-04', moment: '2026-07-04T16:30:00.000Z' },
		{
			text: '2026-03-04T23:30:00Z',
			as: 'Date',
			day: '2026-03-05',
			moment: '2026-03-04T23:30:00.000Z',
		},
		// The clocks go from 2:00 to 3:00, and in October from 3:00 back to 2:00.
		{ text: '2026-03-29T02:30:00', day: '2026-03-29', moment: null },
		{ text: '2026-03-29T03:00:00', day: '2026-03-29', moment: '2026-03-29T01:00:00.000Z' },
		{ text: '2026-10-25T02:30:00', day: '2026-10-25', moment: '2026-10-25T00:30:00.000Z' },
		{ text: '2026-10-25T02:30:00+01:00', day: '2026-10-25', moment: '2026-10-25T01:30:00.000Z' },
	],
	'America/Los_Angeles': [
		{ text: '2026-03-04', day: '2026-03-04', moment: '2026-03-04T08:00:00.000Z' },
		{
			text: '2026-03-04T00:30:00Z',
			as: 'Date',
			day: '2026-03-03',
			moment: '2026-03-04T00:30:00.000Z',
		},
	],
	// A day that begins at one o'clock, because the clocks skip midnight.
	'Africa/Cairo': [{ text: '2026-04-24', day: '2026-04-24', moment: '2026-04-23T22:00:00.000Z' }],
};

/**
 * What an expression gives for it: `$now` is such a DateTime, and a lookup in a table gives a list.
 */
function valueOf({ text, as }: Spelling): unknown {
	if (as === 'Date') return new Date(String(text));
	if (as === 'DateTime') return tryToParseDateTime(text, 'Asia/Tokyo');
	return as === 'list' ? [text] : text;
}

describe.each(Object.entries(BY_TIMEZONE))('In a workflow of %s', (timezone, own) => {
	const expiresAt = moment('expiresAt', 'Expires At', {});

	it.each([...FIXED, ...REFUSED, NO_DATE, ...own])(
		'$text $as is the day $day and the moment $moment',
		(spelling) => {
			const value = valueOf(spelling);
			const refuse = (what: string) =>
				void expect(what).toMatch(/ is not a valid date$|^is a list of/);
			expect(prefillText(value, 'dateTime', timezone, refuse) ?? null).toBe(spelling.day);
			const refuseMoment = jest.fn();
			expect(expiresAt.check({ value }, refuseMoment, timezone) ?? null).toBe(spelling.moment);
			expect(refuseMoment).toHaveBeenCalledTimes(spelling.moment === null ? 1 : 0);
		},
	);
});
