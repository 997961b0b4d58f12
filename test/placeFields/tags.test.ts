import { FIELD_TYPES, sizeOf } from '../../nodes/ESign/actions/document/fields/fieldTypes';
import { loadScripts } from './scripts';

const page = loadScripts();

describe('What stands in double brackets', () => {
	it.each([
		['signature 1', 'SIGNATURE', '1'],
		['SIGNATURE01', 'SIGNATURE', '1'],
		['Date Ada@example.com', 'DATE', 'ada@example.com'],
		['Text Area 1', 'TEXTAREA', '1'],
		['text 2 optional: Job title', 'TEXT', '2'],
		['radio_group 10: Monthly, Yearly', 'RADIO_GROUP', '10'],
	])('%s is a tag', (text, type, recipient) => {
		expect(page.readTag(text)).toMatchObject({ type, recipient });
	});

	it.each(['sgnature 1', 'signature', 'signature_1', 'Company name', 'Date: today'])(
		'%s is none, and the node refuses it',
		(text) => expect({ ...page.readTag(text) }).toEqual({}),
	);

	it('a number alone is a reference', () => {
		expect(page.readTag('12')).toBeUndefined();
	});

	it.each(Object.entries(FIELD_TYPES))(
		'the box of %s is as large as the node makes it',
		(value, [name]) => {
			const sizes = [page.readTag(`${name} 1: a, b, c`), page.readTag(`${value} 1: a, b, c`)];
			const size = sizeOf({ type: value, dropdownOptions: ['a', 'b', 'c'] });
			expect(sizes.map((tag) => ({ ...tag?.size }))).toEqual([size, size]);
		},
	);
});
