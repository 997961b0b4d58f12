import { prefillText } from '../../../nodes/ESign/actions/template/prefillText';

/** What is said of a value that is no text, no number, or neither true nor false. */
const REFUSALS = {
	string: 'is \\S.*, not text\\. Enter a text, a number or a date',
	number: 'is \\S.*, not a number\\. Enter a number',
	boolean: 'is \\S.*, not true or false\\. Use true or false',
};
const OF_ANY_KIND =
	'is a list of \\d values\\. Enter a single value|has 2,?001 char.*|"by Invalid DateTime" .*';
const KINDS = ['string', 'number', 'boolean'] as const;
const EMOJI = '😀';

/**
 * The text for fields that take text, a number and a tick; `null` where it is refused.
 * dates.test.ts has those that take a date.
 */
it.each<[unknown, string | null, string | null, string | null]>([
	[undefined, '', '', ''],
	[null, '', '', ''],
	['', '', '', ''],
	[' x ', ' x ', ' x ', ' x '],
	['TRUE', 'TRUE', 'TRUE', 'true'],
	[' false', ' false', ' false', 'false'],
	[7, '7', '7', null],
	[1, '1', '1', 'true'],
	[0, '0', '0', 'false'],
	[-0.5, '-0.5', '-0.5', null],
	[1e21, '1000000000000000000000', '1000000000000000000000', null],
	[1e-7, '0.0000001', '0.0000001', null],
	[Number.NaN, null, null, null],
	[Infinity, null, null, null],
	[12345678901234567890n, '12345678901234567890', '12345678901234567890', null],
	[true, 'true', null, 'true'],
	[false, 'false', null, 'false'],
	[new Date('2026-03-04T02:00:00Z'), '2026-03-03', null, null],
	[new Date('no date'), null, null, null],
	// What a DateTime that does not exist leaves in a text.
	['by Invalid DateTime', null, null, null],
	[[], '', '', ''],
	[[null], '', '', ''],
	[['x'], 'x', 'x', 'x'],
	[[7], '7', '7', null],
	[[true], 'true', null, 'true'],
	[['x', 'y'], null, null, null],
	[[['x']], null, null, null],
	[[{ name: 'x' }], null, null, null],
	[{}, null, null, null],
	[{ toString: 1 }, null, null, null],
	[new Map([['a', 1]]), null, null, null],
	[/x/, null, null, null],
	[EMOJI.repeat(2000), ...([EMOJI.repeat(2000), EMOJI.repeat(2000), EMOJI.repeat(2000)] as const)],
	[EMOJI.repeat(2001), null, null, null],
])('%p is written as it is meant into a field of every kind, or refused', (value, ...texts) => {
	for (const [index, kind] of KINDS.entries()) {
		const refuse = jest.fn<undefined, [string, string]>();
		expect([kind, prefillText(value, kind, 'America/New_York', refuse) ?? null]).toEqual([
			kind,
			texts[index],
		]);
		const words = new RegExp(`^(${REFUSALS[kind]}|${OF_ANY_KIND})$`);
		const told = refuse.mock.calls.map((said) => said.join('. '));
		expect(told).toEqual(texts[index] === null ? [expect.stringMatching(words)] : []);
	}
});
