import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { openBench, bench, templateIds } from '../actions/support/operationRun';
import { byId } from '../actions/support/workbench';

openBench();

/** East and west of Greenwich, both sides of the date line, half hours, and without daylight saving time. */
const TIMEZONES = [
	'UTC',
	'Europe/Berlin',
	'America/Los_Angeles',
	'Asia/Kolkata',
	'Pacific/Kiritimati',
	'Pacific/Pago_Pago',
];

/** What a date is made of in an expression. `$json.as` tells what `$json.text` becomes. */
const DATE =
	'={{ $json.as === "Date" ? new Date($json.text) : $json.as === "DateTime" ? DateTime.fromISO($json.text, { setZone: true }) : $json.as === "list" ? [$json.text] : $json.text }}';

type Spelling = { text: unknown; as?: 'Date' | 'DateTime' | 'list'; day: string | null; moment: string | null };

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
	{ text: '2026-03-04T10:00:00Z', as: 'list', day: '2026-03-04', moment: '2026-03-04T10:00:00.000Z' },
	{ text: '2026-03-04T23:30:00+09:00', as: 'DateTime', day: '2026-03-04', moment: '2026-03-04T14:30:00.000Z' },
];

/** What no calendar has, what only a guess can read, and what is no date at all. */
const REFUSED: unknown[] = [
	'March 4, 2026',
	'4 March 2026',
	'03.04.2026',
	'04/03/2026',
	'3/4/26',
	'2026/03/04',
	'2026-3-4',
	'2026-03',
	'2026',
	'2026-W10-3',
	'2026-063',
	'Version 3',
	'Suite 12',
	'tomorrow',
	'Wed, 04 Mar 2026 10:00:00 GMT',
	'Wed Mar 04 2026 10:00:00 GMT+0100 (Central European Standard Time)',
	'1772618400000',
	'20260230',
	'2026-02-30',
	'2026-02-29',
	'2026-13-01',
	'2026-00-10',
	'2026-04-31T10:00:00Z',
	'2026-03-04T24:00:00Z',
	'2026-03-04T25:00:00',
	'2026-03-04T10:60:00',
	'2026-03-04T10:00:60Z',
	'2026-03-04T10:00:00+25:00',
	'2026-0304',
	'2026-03-04T10:00:00Z and later',
	'{"date": "2026-03-04"}',
	1772618400000,
	46085,
	2026,
	20260304,
	true,
	{ date: '2026-03-04' },
	['2026-03-04', '2026-03-05'],
	[['2026-03-04']],
];

const spellings: Spelling[] = [
	...FIXED,
	...REFUSED.map((text) => ({ text, day: null, moment: null })),
	{ text: 'no date', as: 'Date', day: null, moment: null },
];

/** Those whose moment, or whose day, is decided by the timezone of the workflow. */
const BY_TIMEZONE: Record<string, Spelling[]> = {
	UTC: [{ text: '2026-03-04T00:00:00', day: '2026-03-04', moment: '2026-03-04T00:00:00.000Z' }],
	'Europe/Berlin': [
		{ text: '2026-03-04', day: '2026-03-04', moment: '2026-03-03T23:00:00.000Z' },
		// The text of n8n's date picker.
		{ text: '2026-07-04T00:00:00', day: '2026-07-04', moment: '2026-07-03T22:00:00.000Z' },
		{ text: '2026-07-04 18:30', day: '2026-07-04', moment: '2026-07-04T16:30:00.000Z' },
		{ text: '2026-03-04T23:30:00Z', as: 'Date', day: '2026-03-05', moment: '2026-03-04T23:30:00.000Z' },
		// The clocks go from 2:00 to 3:00, and in October from 3:00 back to 2:00.
		{ text: '2026-03-29T02:30:00', day: '2026-03-29', moment: null },
		{ text: '2026-03-29T03:00:00', day: '2026-03-29', moment: '2026-03-29T01:00:00.000Z' },
		{ text: '2026-10-25T02:30:00', day: '2026-10-25', moment: '2026-10-25T00:30:00.000Z' },
		{ text: '2026-10-25T02:30:00+01:00', day: '2026-10-25', moment: '2026-10-25T01:30:00.000Z' },
	],
	'America/Los_Angeles': [
		{ text: '2026-03-04', day: '2026-03-04', moment: '2026-03-04T08:00:00.000Z' },
		{ text: '2026-03-04T00:00:00', day: '2026-03-04', moment: '2026-03-04T08:00:00.000Z' },
		{ text: '2026-03-04T00:30:00Z', as: 'Date', day: '2026-03-03', moment: '2026-03-04T00:30:00.000Z' },
		{ text: '2026-03-08T02:30:00', day: '2026-03-08', moment: null },
	],
	'Asia/Kolkata': [{ text: '2026-03-04T10:00', day: '2026-03-04', moment: '2026-03-04T04:30:00.000Z' }],
	'Pacific/Kiritimati': [
		{ text: '2026-03-04', day: '2026-03-04', moment: '2026-03-03T10:00:00.000Z' },
		{ text: '2026-03-04T10:30:00Z', as: 'Date', day: '2026-03-05', moment: '2026-03-04T10:30:00.000Z' },
	],
	'Pacific/Pago_Pago': [
		{ text: '2026-03-04', day: '2026-03-04', moment: '2026-03-04T11:00:00.000Z' },
		{ text: '2026-03-04T10:30:00Z', as: 'Date', day: '2026-03-03', moment: '2026-03-04T10:30:00.000Z' },
	],
	// A day that begins at one o'clock, because the clocks skip midnight.
	'Africa/Cairo': [{ text: '2026-04-24', day: '2026-04-24', moment: '2026-04-23T22:00:00.000Z' }],
};

/** Runs an operation on every spelling; what was sent for it, or null where it was refused with a message that helps. */
async function outcomes(
	[resource, operation]: [string, string],
	parameters: INodeParameters,
	timezone: string,
	list: readonly Spelling[],
	sentFor: (body: IDataObject) => unknown,
	words: RegExp,
): Promise<unknown[]> {
	bench.takeRequests();
	const { items } = await bench.run(resource, operation, parameters, {
		items: list.map(({ text, as }) => ({ json: { text, as } as IDataObject })),
		settings: { onError: 'continueRegularOutput' },
		workflowSettings: { timezone },
	});
	const bodies = bench.takeRequests().map(({ body }) => body as IDataObject);
	return items.map(({ json }) => {
		if (json.error === undefined) return sentFor(bodies.shift() ?? {});
		expect(`${String(json.error)}. ${String(json.description)}`).toMatch(words);
		return null;
	});
}

const named = (list: readonly Spelling[], value: (spelling: Spelling) => unknown) =>
	list.map((spelling) => [spelling.as ?? 'text', spelling.text, value(spelling)]);

describe.each([...TIMEZONES, 'Africa/Cairo'])('In a workflow of %s a date', (timezone) => {
	const list = [...spellings, ...(BY_TIMEZONE[timezone] ?? [])];

	it('in a field of a template is the day that is written, or refused', async () => {
		const { nda } = await templateIds();
		const schema = [{ id: 'effective_date', type: 'string', kind: 'dateTime', templateId: nda }];
		const recipientsJson = JSON.stringify([
			{ role: 'Client', name: 'Ada', email: 'ada@example.com' },
			{ role: 'Company', name: 'Grace', email: 'grace@example.com' },
		]);
		const fieldValues = { mappingMode: 'defineBelow', value: { effective_date: DATE }, schema };
		const days = await outcomes(
			['template', 'send'],
			{ templateId: byId(nda), recipientsInput: 'json', recipientsJson, fieldValues, send: false } as INodeParameters,
			timezone,
			list,
			({ field_values: values }) => (values as IDataObject).effective_date,
			/^Field Values > effective_date:? (.* is not a valid date\. Use YYYY-MM-DD|is a list of)/,
		);
		expect(list.map((spelling, index) => [spelling.as ?? 'text', spelling.text, days[index]])).toEqual(
			named(list, ({ day }) => day),
		);
	});

	it('at which a template link expires is the moment in that timezone, or refused', async () => {
		const { nda } = await templateIds();
		const [template] = await bench.prepare('template', 'get', { templateId: byId(nda) });
		const [client, company] = template?.roles as IDataObject[];
		const signersJson = JSON.stringify([
			{ placeholderId: client?.id, isOpen: true },
			{ placeholderId: company?.id, isOpen: false, name: 'Grace', email: 'grace@example.com' },
		]);
		const moments = await outcomes(
			['templateLink', 'create'],
			{ templateId: byId(nda), signersInput: 'json', signersJson, additionalFields: { expiresAt: DATE } },
			timezone,
			list,
			({ expires_at: expiresAt }) => expiresAt,
			/^Additional Fields > Expires At: .* is not a valid ISO 8601 date and time in .*Use one such as 2026-12-31T18:00:00/,
		);
		expect(list.map((spelling, index) => [spelling.as ?? 'text', spelling.text, moments[index]])).toEqual(
			named(list, ({ moment }) => moment),
		);
	});
});
