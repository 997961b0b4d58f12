import { runOf, type Document } from '../../../nodes/ESign/client';
import type { Item } from '../../../nodes/ESign/operation/parameters';
import { lines } from '../../../nodes/ESign/sending/line';
import {
	ADA,
	COPY,
	document,
	gives,
	HOUR,
	itemOf,
	makes,
	NEW,
	unwanted,
} from '../support/creation';

const inDoubt = (item: Item) => async (): Promise<Document> => {
	await item.call('POST /documents/{id}/remind', { path: { id: 'doc_1' } });
	return NEW;
};

describe('A document that is there', () => {
	it.each<[string, Partial<Document>, boolean]>([
		['with the same title and people', {}, true],
		['with spaces around its title', { title: '  T ' }, true],
		[
			'with another name and role of the person',
			{ recipients: [{ ...ADA, name: 'A.', role: 'HR' }] as never },
			true,
		],
		['with another title', { title: 'U' }, false],
		['with its title in another case', { title: 't' }, false],
		['with somebody else', { recipients: [COPY] as never }, false],
		['with one more person', { recipients: [ADA, COPY] as never }, false],
	])('%s comes out: %2$p', async (_, changed, isFound) => {
		const there = document(changed);
		const { item, reads } = itemOf([[there]]);
		await expect(makes(item)).resolves.toEqual(isFound ? { ...there, already_existed: true } : NEW);
		expect(reads()).toBe(1);
	});

	it('is found in any script, however its characters are composed, and whatever the order of its people', async () => {
		const title = 'Ünal & 株式会社 📄';
		const { item } = itemOf([
			[document({ title: title.normalize('NFD'), recipients: [COPY, ADA] as never })],
		]);
		const likeness = gives({ title, recipients: [ADA, COPY] });
		await expect(makes(item, { likeness })).resolves.toMatchObject({ already_existed: true });
	});

	it.each<[Document['status'], boolean, boolean]>([
		['in_progress', true, true],
		['completed', true, true],
		['declined', true, true],
		['cancelled', false, false],
		['expired', false, false],
		['draft', false, true],
	])(
		'and is %s counts where one is to be sent: %p, where a draft is wanted: %p',
		async (status, sent, draft) => {
			for (const send of [true, false]) {
				const { item } = itemOf([[document({ status })]]);
				expect('already_existed' in (await makes(item, { send }))).toBe(send ? sent : draft);
			}
		},
	);

	it.each([
		['beside the draft that is begun comes out', 'doc_begun', 'doc_there', true],
		['and has come of that draft is gone on with', 'doc_there', 'doc_there', false],
		['and may have come of a request in doubt is left to that', undefined, 'doc_there', false],
		[
			'and is an item of this process comes out, also while a request is in doubt',
			undefined,
			'doc_taken',
			true,
		],
	])('%s', async (_, begun, id, isFound) => {
		lines.ownerById.set('doc_taken', { item: 'another' });
		const { item } = itemOf([[document({ id })]]);
		expect('already_existed' in (await makes(item, { begun: gives([begun]) }))).toBe(isFound);
	});

	it('of several the newest comes out', async () => {
		const [older, newest, oldest] = [2, 1, 3].map((hoursAgo) =>
			document({ id: `doc_${hoursAgo}`, hoursAgo }),
		);
		const { item } = itemOf([[older, newest, oldest] as Document[]]);
		await expect(makes(item)).resolves.toMatchObject({ id: 'doc_1' });
	});
});

describe('The look', () => {
	it('costs nothing where it is not wanted', async () => {
		const { item, asked } = itemOf([[document()]]);
		const changed = { withinHours: undefined, begun: unwanted, likeness: unwanted };
		await expect(makes(item, changed)).resolves.toBe(NEW);
		expect(asked).toEqual([]);
	});

	it('reads one list for a run, and one more for other hours', async () => {
		const { item, reads } = itemOf([[]]);
		for (const withinHours of [24, 24, 1, 24]) await makes(item, { withinHours });
		expect(reads()).toBe(2);
	});

	it('finds what the run itself has created', async () => {
		const { item } = itemOf([[]]);
		await expect(makes(item)).resolves.toBe(NEW);
		await expect(makes(item)).resolves.toEqual({ ...NEW, already_existed: true });
	});

	it('makes equal rows one: what one has left unfinished, the next goes on with', async () => {
		const { item } = itemOf([[]]);
		runOf(item.context).beginTry(0, {
			line: 'l',
			item: 'i',
			run: 'r',
			raw: '',
			ids: [],
			saved: [],
		});
		await makes(item, { withinHours: undefined });
		expect(runOf(item.context).tryOf(0)?.run).toBe('r');
		await makes(item);
		expect(runOf(item.context).tryOf(0)?.run).toBeUndefined();
	});

	it('that is refused lets nothing be created, and is made anew for the next item', async () => {
		const { item, reads } = itemOf(403);
		const create = jest.fn();
		for (const tries of [1, 2]) {
			await expect(makes(item, { create })).rejects.toMatchObject({
				description: expect.stringMatching(
					/\S Nothing was created or sent, because it is not known whether the document exists already\.$/,
				) as string,
			});
			expect(reads()).toBe(tries);
		}
		expect(create).not.toHaveBeenCalled();
	});
});

describe('What is read of a list', () => {
	const other = (hoursAgo: number) => document({ title: 'Other', hoursAgo });

	it.each([
		[
			'newest first is read no further than the time',
			[[other(1), other(30)], [document({ hoursAgo: 31 })]],
			1,
			false,
		],
		['in no order is read to its end', [[other(1), other(90), other(2)], [document()]], 2, true],
	])('%s', async (_, pages, pagesRead, isFound) => {
		const { item, reads } = itemOf(pages);
		expect('already_existed' in (await makes(item))).toBe(isFound);
		expect(reads()).toBe(pagesRead);
	});

	it.each([-12, 0, 12])(
		'is decided by the clock of the service, which is %d hours ahead of ours',
		async (hours) => {
			for (const [hoursAgo, isFound] of [
				[23.9, true],
				[24.1, false],
			] as const) {
				const { item } = itemOf([[document({ hoursAgo: hoursAgo - hours })]], {
					ahead: hours * HOUR,
				});
				expect('already_existed' in (await makes(item))).toBe(isFound);
			}
		},
	);

	it('is not enough where it does not end: nothing is created', async () => {
		const { item } = itemOf(Array.from({ length: 60 }, () => [other(1)]));
		await expect(makes(item)).rejects.toThrow(
			'the newest documents are not among the first 5000 of the list',
		);
	});
});

describe('After an item of which nobody knows what it has created', () => {
	it('an equal one looks anew', async () => {
		const { item, reads } = itemOf([[]]);
		await expect(makes(item, { create: inDoubt(item) })).rejects.toThrow(
			'Could not send the reminder',
		);
		await expect(makes(item)).resolves.toBe(NEW);
		expect(reads()).toBe(2);
	});

	it('that was refused an equal one is created, without another list', async () => {
		const { item, reads } = itemOf([[]]);
		const create = async (): Promise<Document> => {
			const { item: other } = itemOf(403);
			return await other.call('GET /documents/{id}', { path: { id: 'doc_1' } });
		};
		await expect(makes(item, { create })).rejects.toMatchObject({ httpCode: '403' });
		await expect(makes(item)).resolves.toBe(NEW);
		expect(reads()).toBe(1);
	});
});
