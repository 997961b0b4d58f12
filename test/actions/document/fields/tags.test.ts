import { findTags } from '../../../../nodes/ESign/actions/document/fields/tags/tagFields';
import { readTag } from '../../../../nodes/ESign/actions/document/fields/tags/readTag';
import { FIELD_TYPES } from '../../../../nodes/ESign/actions/document/fields/fieldTypes';
import { pageWith, type Written } from './support/page';

const RECIPIENTS = [
	{ email: 'ada@example.com' },
	{ email: 'grace@x-y.com' },
	{ email: 'text.area@x.com' },
	{ email: 'copy@example.com', type: 'cc' as const },
];

describe('A tag', () => {
	it.each<[string, string, number, object?]>([
		['signature 1', 'SIGNATURE', 0],
		['SIGNATURE01', 'SIGNATURE', 0],
		['Signature ADA@example.com', 'SIGNATURE', 0],
		['sig-\nnature grace@x-\ny.com', 'SIGNATURE', 1],
		['date grace@x-y.\ncom', 'DATE', 1],
		['date ada@exam-\nple.com', 'DATE', 0],
		['textarea 1', 'TEXTAREA', 0],
		['Text Area 1', 'TEXTAREA', 0],
		['text text.area@x.com', 'TEXT', 2],
		['radio_group 2: Monthly, Yearly', 'RADIO_GROUP', 1, { dropdownOptions: 'Monthly, Yearly' }],
		['dropdown 2 : Once,, Every\nday,', 'DROPDOWN', 1, { dropdownOptions: 'Once,, Every day,' }],
		['text 2 optional: Job  title', 'TEXT', 1, { required: false, placeholderText: 'Job title' }],
		['text 2: at 12:30', 'TEXT', 1, { placeholderText: 'at 12:30' }],
		['check-\nbox 1 optional', 'CHECKBOX', 0, { required: false }],
	])('%s', (text, type, recipient, details = {}) => {
		expect(readTag(text, RECIPIENTS)).toEqual({
			kind: 'tag',
			recipient,
			input: { type, ...details },
		});
	});

	it.each(
		Object.entries(FIELD_TYPES).flatMap(([value, [name]]) => [
			[name, value],
			[value, value],
		]),
	)('may be of every type: %s', (written, type) => {
		expect(readTag(`${written} 1`, RECIPIENTS)).toMatchObject({ kind: 'tag', input: { type } });
	});

	it.each([
		['signature 5', 'names "5", who is no recipient'],
		['signature 0', 'names "0", who is no recipient'],
		['date bob@x.com', 'names "bob@x.com", who is no recipient'],
		['signature 4', 'names copy@example.com, who is a cc'],
		['signature', 'names no recipient'],
		['Date: today', 'names no recipient'],
		['sgnature 1', 'has no type of field'],
		['singature ada@example.com', 'has no type of field'],
		['sgnature bob@x.com', 'has no type of field'],
		['signature_1', 'has no type of field'],
		['chekbox 2 optional: yes', 'has no type of field'],
		['cmpny 1', 'has no type of field'],
		['sign\uFFFFture 1', 'has a sign that cannot be read'],
	])('%s is refused, because it %s', (text, what) => {
		expect(readTag(text, RECIPIENTS)).toMatchObject({ kind: 'refused', what });
	});

	it.each([
		['Company name', 'other'],
		['Date of birth', 'other'],
		['Total 12', 'other'],
		['Party A', 'other'],
		['nmbr 1', 'other'],
		['compnyxyz 1', 'other'],
	])('%s is none', (text, kind) => {
		expect(readTag(text, RECIPIENTS)).toMatchObject({ kind });
	});

	it.each(['1', '42'])('%s is nothing of interest', (text) => {
		expect(readTag(text, RECIPIENTS)).toBeUndefined();
	});
});

describe('Tags are found', () => {
	const tagsOn = async (...written: Written[]) => {
		const tags = await findTags([pageWith(...written)], RECIPIENTS);
		return tags.map(({ text, reading, box }) => ({
			text,
			kind: reading.kind,
			recipient: 'recipient' in reading ? reading.recipient : undefined,
			left: box.left,
		}));
	};

	it('in one cell of two, each broken over lines', async () => {
		await expect(
			tagsOn(
				{ text: '[[signature', x: 50, y: 100 },
				{ text: 'ada@example.com]]', x: 50, y: 112 },
				{ text: '[[signature', x: 200, y: 100 },
				{ text: 'grace@x-', x: 200, y: 112 },
				{ text: 'y.com]]', x: 200, y: 124 },
			),
		).resolves.toEqual([
			{ text: '[[signature\nada@example.com]]', kind: 'tag', recipient: 0, left: 50 },
			{ text: '[[signature\ngrace@x-\ny.com]]', kind: 'tag', recipient: 1, left: 200 },
		]);
	});

	it('in the order of reading where the order of painting breaks them', async () => {
		await expect(
			tagsOn(
				{ text: 'ture 1]]', x: 80, y: 100 },
				{ text: 'other', x: 50, y: 300 },
				{ text: '[[signa', x: 45, y: 100 },
			),
		).resolves.toEqual([{ text: '[[signature 1]]', kind: 'tag', recipient: 0, left: 45 }]);
	});

	it.each([
		['as they are seen', '[[date 2]] :ךיראת [[signature 1]] :םש'],
		['as they are typed', ']]date 2[[ :ךיראת ]]signature 1[[ :םש'],
		['of several words', '[[text 1: Job title]] [[name 2]] :םש'],
	])('in a line that is read from the right, with brackets %s', async (_, text) => {
		const tags = await tagsOn({ text, x: 50, y: 100 });
		expect(tags.map(({ kind, recipient }) => [kind, recipient]).sort()).toEqual([
			['tag', 0],
			['tag', 1],
		]);
	});

	it('with one unknown sign, and only as far as there are brackets', async () => {
		await expect(
			tagsOn(
				{ text: ['[', '[', 'd', undefined, 't', 'e', '1', ']', ']'], x: 50, y: 100 },
				{ text: '[date 1]] [[ [[1]] [[]] [[x', x: 50, y: 130 },
			),
		).resolves.toMatchObject([{ kind: 'refused' }]);
	});
});
