import fc from 'fast-check';
import type { ApiContext } from '../../../nodes/ESign/client';
import { SEED } from '../../support/nightly';
import { hasComePast, pagesOf } from '../../../nodes/ESign/client/call/pages';

fc.configureGlobal({ seed: SEED });

/** How many entries are read, page by page, before reading stops. */
function readOf(hours: readonly number[], oldest: number, pageSize: number): number {
	for (let read = pageSize; read < hours.length; read += pageSize) {
		if (hasComePast(oldest, hours.slice(0, read))) return read;
	}
	return hours.length;
}

const hours = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 40 });

describe('The end of a list that is newest first', () => {
	it('is found on the first page that reaches what is older', () => {
		expect(readOf([9, 8, 8, 7, 6, 5, 4, 3, 2, 1], 7, 2)).toBe(6);
	});

	it('is not taken for granted while all entries have one time, or one has none', () => {
		expect(readOf([1, 1, 1, 1, 5, 6], 3, 2)).toBe(6);
		for (const times of [[9, NaN, 2], [NaN, 2, 1], [2, NaN], [NaN], []])
			expect(hasComePast(5, times)).toBe(false);
	});

	it.each<[string, boolean, string | null]>([
		['says so', false, 'b'],
		['has no cursor', true, null],
	])('is also where a page %s', async (_, has_more, next_cursor) => {
		const pages = pagesOf({} as ApiContext, () =>
			Promise.resolve({ data: ['a'], has_more, next_cursor }),
		);
		const read: string[][] = [];
		for await (const page of pages) read.push(page);
		expect(read).toEqual([['a']]);
	});

	it('is never concluded from a list that is oldest first, whatever the pages', () => {
		fc.assert(
			fc.property(
				hours,
				fc.integer({ min: 0, max: 41 }),
				fc.integer({ min: 1, max: 7 }),
				(list, oldest, pageSize) => {
					const ascending = [...list].sort((one, other) => one - other);
					expect(readOf(ascending, oldest, pageSize)).toBe(list.length);
				},
			),
		);
	});

	it('hides nothing that is wanted in a list that is newest first, whatever the pages', () => {
		fc.assert(
			fc.property(
				hours,
				fc.integer({ min: 0, max: 41 }),
				fc.integer({ min: 1, max: 7 }),
				(list, oldest, pageSize) => {
					const descending = [...list].sort((one, other) => other - one);
					const read = readOf(descending, oldest, pageSize);
					expect(descending.slice(read).filter((hour) => hour >= oldest)).toEqual([]);
				},
			),
		);
	});
});
