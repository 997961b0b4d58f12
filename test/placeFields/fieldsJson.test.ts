import fc from 'fast-check';
import { SEED, sized } from '../support/nightly';
import { readFields } from '../../nodes/ESign/actions/document/fields/request';
import { ANCHOR_VALUES, FIELD_VALUES } from '../../nodes/ESign/actions/document/fields/field';
import { FIELD_TYPES } from '../../nodes/ESign/actions/document/fields/fieldTypes';
import { EMAIL } from '../../nodes/ESign/operation/parameters/checks/text';
import type { Declared } from '../../nodes/ESign/operation/parameters/value';
import { askWithoutPauses, scriptedItem } from '../actions/support/scriptedItem';
import { field, loadScripts, type Plan } from './scripts';

askWithoutPauses();

fc.configureGlobal({ seed: SEED });

const page = loadScripts();

type PageRule = Declared & { label: string; choices?: string[] };

/**
 * What the node makes of the JSON: the entries as it would send them, or undefined if it refuses
 * them.
 */
function readByNode(text: string): Array<Record<string, unknown>> | undefined {
	const { item } = scriptedItem({ fieldsInput: 'json', fieldsJson: text });
	const request = readFields(item);
	if (item.problems.any) return undefined;
	// The page knows it by the text.
	return request.fields.map((entry) => ({ ...entry, place: undefined }));
}

function readByPage(text: string): Array<Record<string, unknown>> | undefined {
	const { entries, problems } = page.readEntries(text);
	// A page on which nothing was drawn yet is no mistake; in the node, a field is missing.
	return problems.length > 0 || entries.length === 0
		? undefined
		: (JSON.parse(JSON.stringify(entries)) as Array<Record<string, unknown>>);
}

const ENTRY = {
	type: 'SIGNATURE',
	pageNumber: 1,
	xNorm: 0.1,
	yNorm: 0.8,
	widthNorm: 0.3,
	heightNorm: 0.06,
};
const ADA = { key: 1, name: 'Ada', email: 'ada@example.com' };
const BO = { key: 2, name: 'Bo', email: '' };

/** Objects compared across the border between the page's scripts and the test. */
const plain = (value: unknown): unknown =>
	JSON.parse(
		JSON.stringify(value, (_key, one: unknown) =>
			Object.prototype.toString.call(one) === '[object RegExp]' ? String(one) : one,
		),
	);

describe('The rules of the page are those of the node', () => {
	it.each([
		['a field', FIELD_VALUES, page.FIELD_RULES],
		['a text that says where a field is', ANCHOR_VALUES, page.ANCHOR_RULES],
	])('for every property of %s', (_, values, rulesOfPage) => {
		const rules = values.map(
			({ name, label, required, rule: { options, min, max, items, pattern, form } }) => {
				const choices = options && Object.keys(options).sort();
				return [name, { label, required, choices, min, max, items, pattern, form }];
			},
		);
		// What each makes of a value of another type is compared below.
		const ofPage = Object.entries(rulesOfPage as Record<string, PageRule>).map(([name, rule]) => {
			const choices = rule.choices && [...rule.choices].sort();
			return [name, { ...rule, required: rule.required ?? false, choices, type: undefined }];
		});
		expect(plain(ofPage)).toEqual(plain(rules));
	});

	it('for the types, what they are called, and what is an email address', () => {
		expect([...page.FIELD_TYPES]).toEqual(
			Object.entries(FIELD_TYPES).map(([value, [name]]) => [value, name]),
		);
		expect(page.EMAIL.source).toBe(`${EMAIL.source}|\\{\\{`);
	});

	it('for any JSON', () => {
		const odd = fc.oneof(
			fc.constantFrom(
				...[
					null,
					'',
					' ',
					'true',
					'false',
					'0.5',
					'#a1B2c3',
					'😀'.repeat(100),
					1e300,
					-1,
					0,
					1,
					1.5,
					12,
				],
				...[[], {}, ['a', null], [{}], ['text'], [[1]]],
			),
			fc.string({ maxLength: 130 }),
			fc.double(),
			fc.boolean(),
			fc.array(fc.string()),
		);
		const names = [
			...FIELD_VALUES.map(({ name }) => name),
			'recipientId',
			'__proto__',
			'constructor',
		];
		const changes = fc.dictionary(fc.constantFrom(...names), odd, { maxKeys: 3 });
		const entry = changes.map((change) => ({ ...ENTRY, ...change }));
		const list = fc.array(fc.oneof({ weight: 4, arbitrary: entry }, odd), { maxLength: 3 });
		const examples = [
			...['', 'null', '[{', '[[]]', JSON.stringify(ENTRY), JSON.stringify({ fields: [ENTRY] })],
			JSON.stringify(Array.from({ length: 501 }, () => ENTRY)),
			...[
				{ type: 'initials', radioLayout: 'inline' },
				{ pageNumber: '2', xNorm: ' 0.2 ', required: 'false' },
				{ type: 'DROPDOWN', dropdownOptions: 'a, b,, c' },
				{ xNorm: 0.7, widthNorm: 0.30000000000000004 },
				{ xNorm: 0.8 },
				{ recipient: null, fieldKey: null },
				{ recipientId: 'rcp_1' },
				{ xNorm: undefined },
				{ anchor: 'Client:' },
				{ anchor: { text: 'Client:' } },
			].map((change) => JSON.stringify([{ ...ENTRY, ...change }])),
			...[
				{ anchor: { text: 'Client:', side: 'RIGHT', occurrence: 'every' }, widthNorm: 0.2 },
				{ anchor: { text: 'Client:', heightNorm: '0.1', xOffsetNorm: -0.5 }, required: 'false' },
				{ anchor: { text: 'Client:', side: 'left' } },
				{ anchor: { side: 'right' } },
				{ anchor: { text: 'Client:', colour: 'red' } },
				{ anchor: { text: 'Client:' }, widthNorm: -0.1 },
				{ anchor: {} },
			].map((change) => JSON.stringify([{ type: 'TEXT', ...change }])),
		];
		const text = list.map((one) => JSON.stringify(one));
		fc.assert(
			fc.property(text, (json) => expect(readByPage(json)).toEqual(readByNode(json))),
			{ numRuns: sized(500, 5_000), examples: examples.map((one) => [one]) },
		);
	});
});

describe('The JSON', () => {
	const plan: Plan = {
		recipients: [ADA, BO],
		fields: [
			field(10, { recipient: 1, options: { fieldKey: 'sign_here', required: false } }),
			field(11, {
				recipient: 2,
				type: 'RADIO_GROUP',
				yNorm: 0.5,
				options: { dropdownOptions: ['a, b', 'c'] },
			}),
			field(12, { yNorm: 0.2 }),
		],
	};

	it('is what the node accepts, with everybody named by email where there is one, or by position', () => {
		const entries = readByNode(page.writePlan(plan, 'email'));
		expect(entries?.map(({ recipient }) => recipient)).toEqual(['ada@example.com', '2', undefined]);
		expect(entries?.[0]).toMatchObject({
			fieldKey: 'sign_here',
			required: false,
			xNorm: 0.1,
			heightNorm: 0.06,
		});
		expect(entries?.[1]).toMatchObject({ dropdownOptions: ['a, b', 'c'] });
		const byPosition = readByNode(page.writePlan(plan, 'position'));
		expect(byPosition?.map(({ recipient }) => recipient)).toEqual(['1', '2', undefined]);
	});

	it.each(['email', 'position'] as const)(
		'gives the same fields when it is read again, by %s',
		(by) => {
			const text = page.writePlan(plan, by);
			const read = page.readPlan(text, plan.recipients);
			expect(read.problems).toEqual([]);
			expect(page.writePlan(read.plan, by)).toBe(text);
		},
	);

	it('keeps places exactly as they were read until somebody moves them', () => {
		const text = JSON.stringify([{ ...ENTRY, xNorm: 0.123456789 }]);
		expect(page.writePlan(page.readPlan(text, []).plan, 'email')).toContain('0.123456789');
	});

	it('keeps fields at texts as they are, in their places and with their recipients', () => {
		const list = [
			{
				recipient: 'ada@example.com',
				type: 'SIGNATURE',
				anchor: { text: 'Client:', side: 'right' },
			},
			{ ...ENTRY, recipient: 2 },
			{
				recipient: 2,
				type: 'TEXT',
				anchor: { text: 'Title', occurrence: 'last', yOffsetNorm: -0.01 },
				widthNorm: 0.2,
				helpText: 'Yours',
			},
		];
		const { plan: read, problems } = page.readPlan(JSON.stringify(list), [ADA, BO]);
		expect(problems).toEqual([]);
		expect(JSON.parse(page.writePlan(read, 'email'))).toEqual(list);
		expect(page.overlaps(read.fields).size).toBe(0);
		const without = page.writePlan(page.withoutRecipient(read, 1), 'email');
		expect(JSON.parse(without)).toMatchObject([
			{ anchor: { text: 'Client:' } },
			{ recipient: 1 },
			{},
		]);
	});

	it('keeps the names of recipients who are there, and adds those whom only the JSON names', () => {
		const text = JSON.stringify([
			{ ...ENTRY, recipient: 'ADA@example.com' },
			{ ...ENTRY, recipient: 'new@example.com' },
		]);
		const { plan: read } = page.readPlan(text, [ADA, BO, { key: 3, name: ' ', email: '' }]);
		expect(read.recipients.map(({ name, email }) => [name, email])).toEqual([
			['Ada', 'ada@example.com'],
			['Bo', ''],
			['', 'new@example.com'],
		]);
		expect(
			read.fields.map(({ recipient }) => read.recipients.findIndex(({ key }) => key === recipient)),
		).toEqual([0, 2]);
	});

	it('makes room for positions', () => {
		const { plan: read } = page.readPlan(JSON.stringify([{ ...ENTRY, recipient: 3 }]), [ADA]);
		expect(read.recipients).toHaveLength(3);
		expect(read.fields[0]?.recipient).toBe(read.recipients[2]?.key);
	});

	it('keeps an expression that names a recipient', () => {
		const { plan: read, problems } = page.readPlan(
			JSON.stringify([{ ...ENTRY, recipient: '{{ $json.email }}' }]),
			[],
		);
		expect(problems).toEqual([]);
		expect(page.writePlan(read, 'email')).toContain('"recipient":"{{ $json.email }}"');
		expect(page.adviceOn(read, 1)).toEqual([]);
	});

	it.each([
		['position 0', [{ ...ENTRY, recipient: 0 }]],
		['position 11', [{ ...ENTRY, recipient: '11' }]],
		[
			'eleven people',
			Array.from({ length: 11 }, (_x, n) => ({ ...ENTRY, recipient: `p${n}@example.com` })),
		],
	])('%s is refused, and leaves what is there alone', (_what, entries) => {
		const { plan: read, problems } = page.readPlan(JSON.stringify(entries), [ADA]);
		expect(problems).toHaveLength(1);
		expect(read.recipients).toEqual([ADA]);
	});

	it.each([
		['[\n  {"type": "TEXT" "page": 1}\n]', 'This is not valid JSON (line 2, column 19).'],
		['true', 'This is true. Give a JSON array, one object per field.'],
		[
			JSON.stringify([ENTRY, { ...ENTRY, xNorm: 0.8 }]),
			'Field 2: the box leaves the page at its right edge: xNorm plus widthNorm is 1.1. Use 1 at most.',
		],
		[
			JSON.stringify([{ ...ENTRY, recipientId: 'rcp_1' }]),
			'Field 1: has an unknown property "recipientId". Use recipient, with an email or a position.',
		],
		[JSON.stringify([{ ...ENTRY, type: undefined }]), 'Field 1: type is missing.'],
	])('says what is wrong with %s', (text, message) => {
		expect([...page.readEntries(text).problems]).toEqual([message]);
	});
});
