import fc from 'fast-check';
import { SEED, sized } from '../support/nightly';
import { prefillText } from '../../nodes/ESign/actions/template/prefillText';
import { isNothing } from '../../nodes/ESign/operation/parameters/checks/parameterValue';
import { dayOf, momentOf } from '../../nodes/ESign/operation/parameters/checks/dates';
import { Problems } from '../../nodes/ESign/operation/parameters/checks/problems';
import { charactersOf } from '../../nodes/ESign/operation/parameters/checks/text';
import {
	checkObject,
	choice,
	integer,
	moment,
	number,
	text,
	texts,
	toggle,
} from '../../nodes/ESign/operation/parameters/declare';
import type { Value } from '../../nodes/ESign/operation/parameters/value';

fc.configureGlobal({ seed: SEED });

const timezone = fc.constantFrom(
	...[
		'UTC',
		'Europe/Berlin',
		'America/Los_Angeles',
		'Australia/Lord_Howe',
		'Pacific/Apia',
		'Asia/Kathmandu',
	],
);

const OBJECTS = [
	'BoxedValues',
	'Date',
	'Map',
	'NullPrototype',
	'ObjectString',
	'Set',
	'SparseArray',
	'TypedArray',
];
const KINDS = ['BigInt', 'UnicodeString', ...OBJECTS];
const anything = fc.anything(Object.fromEntries(KINDS.map((kind) => [`with${kind}`, true])));

describe('A date or moment', () => {
	it('is never guessed: any other text either begins with its day, digit by digit, or is refused', () => {
		const nearly = fc.stringMatching(
			/^[0-9]{1,5}[-/. ]?[0-9]{1,2}[-/. ]?[0-9]{1,2}([T ][0-9]{1,2}:?[0-9]{0,2})?[Z+-]?$/,
		);
		fc.assert(
			fc.property(fc.oneof(fc.string(), nearly), timezone, (text, zone) => {
				const day = dayOf(text, zone);
				if (day !== undefined)
					expect(text.trim().replace(/-/g, '').startsWith(day.replace(/-/g, ''))).toBe(true);
				if (day === undefined) expect(momentOf(text, zone)).toBeUndefined();
			}),
			{ numRuns: sized(500, 5_000) },
		);
	});

	it('is found in no object but a Date and a DateTime, however it is dressed up', () => {
		fc.assert(
			fc.property(anything, timezone, (value, zone) => {
				const dressed = { isLuxonDateTime: true, isValid: true, zoneName: 'UTC', value };
				expect(dayOf(dressed, zone)).toBeUndefined();
				expect(momentOf(dressed, zone)).toBeUndefined();
				if (typeof value === 'string' || value instanceof Date) return;
				expect(dayOf(value, zone)).toBeUndefined();
			}),
		);
	});
});

describe('Whatever an expression gives', () => {
	it.each(['string', 'number', 'boolean', 'dateTime', undefined] as const)(
		'for a field that takes %s is text or a refusal; no object becomes text but a Date',
		(kind) => {
			fc.assert(
				fc.property(anything, timezone, (value, zone) => {
					const refuse = jest.fn<undefined, [string, string]>();
					const text = prefillText(value, kind, zone, refuse);
					expect(refuse.mock.calls.length).toBe(text === undefined ? 1 : 0);
					for (const said of refuse.mock.calls) expect(said.join('. ')).toMatch(/^\S.*\. \S/s);
					if (text === undefined) return;
					const only: unknown = Array.isArray(value) && value.length < 2 ? value[0] : value;
					if (typeof only !== 'string') expect(text).not.toMatch(/\[object|^NaN$|Infinity$|=>|^\{/);
					if (typeof only !== 'object' || only === null || only instanceof Date) return;
					expect(text).toBe('');
				}),
				{ numRuns: sized(300, 5_000) },
			);
		},
	);

	const OPTIONS = { a: ['A'], b: ['B'] } as const;
	const VALUES: Array<[string, Value, (value: unknown) => boolean]> = [
		[
			'text',
			text('p0', 'P', { max: 5 }),
			(value) => typeof value === 'string' && charactersOf(value) <= 5,
		],
		['whole number', integer('p1', 'P', { min: 1, max: 9 }), (value) => Number.isInteger(value)],
		['number', number('p2', 'P', { min: 0 }), (value) => Number.isFinite(value)],
		['toggle', toggle('p3', 'P', {}), (value) => typeof value === 'boolean'],
		['choice', choice('p4', 'P', { options: OPTIONS }), (value) => value === 'a' || value === 'b'],
		[
			'list of texts',
			texts('p5', 'P', { max: 5, items: 3 }),
			(value) =>
				Array.isArray(value) && value.length <= 3 && value.every((one) => typeof one === 'string'),
		],
		['moment', moment('p6', 'P', {}), (value) => /^[+-]?\d{4,6}-.*Z$/.test(String(value))],
	];
	it.each(VALUES)('for a %s is of its kind, or a problem, or nothing', (kind, parameter, fits) => {
		const plausible = fc.constantFrom<unknown>(
			...['a', 'B', ' b ', '7', '2026-03-04', '😀😀😀😀😀', 7, true],
			...[['a'], ['1'], [[1]], ['true']],
		);
		fc.assert(
			fc.property(fc.oneof(anything, plausible), (value) => {
				const refuse = jest.fn();
				const checked = parameter.check({ value }, refuse, 'Asia/Tokyo');
				if (checked !== undefined) expect(fits(checked)).toBe(true);
				else if (!isNothing(value) && !(kind === 'list of texts' && Array.isArray(value)))
					expect(refuse).toHaveBeenCalled();
				if (checked !== undefined) expect(refuse).not.toHaveBeenCalled();
			}),
			{ numRuns: sized(300, 5_000) },
		);
	});

	it('as a whole row is read without a throw, and gives only what the rules name', () => {
		const values = VALUES.map(([, parameter]) => parameter);
		const item = { problems: new Problems(), timezone: 'Asia/Tokyo' };
		fc.assert(
			fc.property(anything, anything, (value, raw) => {
				const checked = checkObject({ value, raw }, values, 'Row', item, true);
				expect(Object.keys(checked).every((name) => values.some((one) => one.name === name))).toBe(
					true,
				);
			}),
		);
	});
});
