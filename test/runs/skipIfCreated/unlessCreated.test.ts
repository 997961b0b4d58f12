import { runOf, type Document } from '../../../nodes/ESign/client';
import type { Item } from '../../../nodes/ESign/parameters';
import { lines, type Line } from '../../../nodes/ESign/runs/line';
import { unlessCreated, type Creation } from '../../../nodes/ESign/runs/skipIfCreated';
import { scriptedItem } from '../../actions/support/scriptedItem';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 1);

beforeEach(() => jest.useFakeTimers({ now: NOW, doNotFake: ['setImmediate', 'nextTick', 'setTimeout'] }));
afterEach(() => jest.useRealTimers());

const ADA = { name: 'Ada', email: 'ada@example.com', role: 'Client' };
const COPY = { name: 'Copy', email: 'copy@example.com', role: null };

/** What somebody has sent an hour ago, unless it says otherwise. */
function document({ hoursAgo = 1, ...changed }: Partial<Document> & { hoursAgo?: number } = {}): Document {
	const created_at = new Date(NOW - hoursAgo * HOUR).toISOString();
	return { id: 'doc_there', title: 'T', status: 'in_progress', recipients: [ADA], created_at, ...changed } as Document;
}

const NEW = document({ id: 'doc_new', hoursAgo: 0 });

/** An item whose service lists these documents, page by page; or refuses to, with this status. */
function itemOf(pages: Document[][] | number, { ahead = 0 } = {}) {
	const scripted = scriptedItem({}, ({ path, query }) => {
		if (path.endsWith('/remind')) return { status: 500, body: {} };
		if (typeof pages === 'number')
			return { status: pages, body: { error: { code: 'insufficient_scope', message: 'No' } } };
		const page = Number(query.cursor ?? 0);
		const more = page + 1 < pages.length;
		const headers = { date: new Date(NOW + ahead).toUTCString() };
		return { headers, body: { data: pages[page], has_more: more, next_cursor: more ? String(page + 1) : null } };
	});
	return { ...scripted, reads: () => scripted.asked.filter(({ path }) => path === '/documents').length };
}

const gives =
	<T>(value: T) =>
	async () =>
		await Promise.resolve(value);

const CREATION: Creation<Document> = {
	withinHours: 24,
	likeness: gives({ title: 'T', recipients: [ADA] }),
	send: true,
	hasBegun: gives(false),
	create: gives(NEW),
};
const makes = async (item: Item, changed: Partial<Creation<Document>> = {}) =>
	await unlessCreated(item, { ...CREATION, ...changed });

const inDoubt = (item: Item) => async (): Promise<Document> => {
	await item.call('POST /documents/{id}/remind', { path: { id: 'doc_1' } });
	return NEW;
};

describe('A document that is there', () => {
	it.each<[string, Partial<Document>, boolean]>([
		['with the same title and people', {}, true],
		['with spaces around its title', { title: '  T ' }, true],
		['with another name and role of the person', { recipients: [{ ...ADA, name: 'A.', role: 'HR' }] as never }, true],
		['with an address in upper case', { recipients: [{ ...ADA, email: 'ADA@Example.COM' }] as never }, true],
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
		const { item } = itemOf([[document({ title: title.normalize('NFD'), recipients: [COPY, ADA] as never })]]);
		const likeness = gives({ title, recipients: [ADA, COPY] });
		await expect(makes(item, { likeness })).resolves.toMatchObject({ already_existed: true });
	});

	it.each([
		['in_progress', true, true],
		['completed', true, true],
		['declined', true, true],
		['cancelled', false, false],
		['expired', false, false],
		['draft', false, true],
	] as const)(
		'and is %s counts where one is to be sent: %p, where a draft is wanted: %p',
		async (status, sent, draft) => {
			const { item } = itemOf([[document({ status })]]);
			const isFound = async (send: boolean) =>
				'already_existed' in (await makes(item, { send, create: gives(document({ title: 'Other' })) }));
			expect([await isFound(true), await isFound(false)]).toEqual([sent, draft]);
		},
	);

	it('of several the newest comes out', async () => {
		const [older, newest, oldest] = [2, 1, 3].map((hoursAgo) => document({ id: `doc_${hoursAgo}`, hoursAgo }));
		const { item } = itemOf([[older, newest, oldest] as Document[]]);
		await expect(makes(item)).resolves.toMatchObject({ id: 'doc_1' });
	});
});

describe('The look', () => {
	it.each<[string, Partial<Creation<Document>>]>([
		['is not wanted', { withinHours: undefined }],
		['would find what is begun', { hasBegun: gives(true) }],
	])('costs nothing where it %s', async (_, changed) => {
		const { item, asked } = itemOf([[document()]]);
		const likeness = () => Promise.reject(new Error('Nobody needs it'));
		await expect(makes(item, { ...changed, likeness })).resolves.toBe(NEW);
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
		runOf(item.context).beginTry(0, { line: 'l', item: 'i', run: 'r', raw: '', ids: [], saved: [] });
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
					/\S Nothing was created, because it is not known whether the document exists already\.$/,
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
		['newest first is read no further than the time', [[other(1), other(30)], [document({ hoursAgo: 31 })]], 1, false],
		['oldest first is read to its end', [[other(90), other(60)], [document()]], 2, true],
		['in no order is read to its end', [[other(1), other(90), other(2)], [document()]], 2, true],
		['that begins with an old document is read to its end', [[other(90)], [document()]], 2, true],
	])('%s', async (_, pages, pagesRead, isFound) => {
		const { item, reads } = itemOf(pages);
		expect('already_existed' in (await makes(item))).toBe(isFound);
		expect(reads()).toBe(pagesRead);
	});

	it.each([-12, 0, 12])('is decided by the clock of the service, which is %d hours ahead of ours', async (hours) => {
		for (const [hoursAgo, isFound] of [
			[23.9, true],
			[24.1, false],
		] as const) {
			const { item } = itemOf([[document({ hoursAgo: hoursAgo - hours })]], { ahead: hours * HOUR });
			expect('already_existed' in (await makes(item))).toBe(isFound);
		}
	});

	it('is not enough where it does not end: nothing is created', async () => {
		const { item } = itemOf(Array.from({ length: 60 }, () => [other(1)]));
		await expect(makes(item)).rejects.toThrow('the newest documents are not among the first 5000 of the list');
	});
});

describe('After an item of which nobody knows what it has created', () => {
	it('an equal one looks anew, and is not sent where nothing is found', async () => {
		const { item, reads } = itemOf([[]]);
		await expect(makes(item, { create: inDoubt(item) })).rejects.toThrow('Could not send the reminder');
		const failure = makes(item);
		await expect(failure).rejects.toThrow(
			'An item before this one asked for the same document, and whether it was sent is not known',
		);
		await expect(failure).rejects.toMatchObject({
			description: expect.stringMatching(
				/^Nothing was created .*Skip If Created Within \(Hours\).*Check in the web/,
			) as string,
		});
		expect(reads()).toBe(2);
	});

	it.each<[string, Partial<Creation<Document>>, Partial<Creation<Document>>]>([
		['another is created', {}, { likeness: gives({ title: 'U', recipients: [ADA] }) }],
		['an equal draft is made again: it writes to nobody', { send: false }, { send: false }],
		['an equal one that looks is created where the first did not look', { withinHours: undefined }, {}],
	])('%s', async (_, first, second) => {
		const { item } = itemOf([[]]);
		await expect(makes(item, { ...first, create: inDoubt(item) })).rejects.toThrow();
		await expect(makes(item, second)).resolves.toBe(NEW);
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

describe('In a retry, what another worker has sent for the item since the line began', () => {
	/** Two hours after its line began. */
	function retried(pages: Document[][], changed: Partial<Line> = {}) {
		const made = itemOf(pages);
		const line: Line = { id: 'the line', beganAt: NOW - 2 * HOUR, ids: [], unfinished: [], ...changed };
		Object.assign(made.item.context, { getMode: () => 'retry', getContext: () => ({ eSign: line }) });
		runOf(made.item.context).beginTry(0, { line: line.id, item: 'mine', raw: '', ids: [], saved: [] });
		return made;
	}
	const WITHOUT = { withinHours: undefined };
	const draft = (...items: string[]) => ({ unfinished: [{ items, draft: { id: 'doc_there' } }] });

	it('comes out, with a hint that names it', async () => {
		const { item, hints, reads } = retried([[document()]]);
		await expect(makes(item, WITHOUT)).resolves.toEqual(document());
		expect(hints).toEqual([expect.stringMatching(/^Not sent again, .*with the same title and people: doc_there\. /)]);
		expect(reads()).toBe(1);
	});

	it.each<[string, Partial<Document> & { hoursAgo?: number }, Partial<Line>]>([
		['before the line began', { hoursAgo: 2.1 }, {}],
		['as a draft', { status: 'draft' }, {}],
		['and withdrawn', { status: 'cancelled' }, {}],
		['with another title', { title: 'U' }, {}],
		['to somebody in another role', { recipients: [{ ...ADA, role: 'HR' }] as never }, {}],
		['for another item of this execution', {}, { ids: ['doc_there'] }],
		['from the draft of another item', {}, draft('another')],
		['in another line of executions', { id: 'doc_elsewhere' }, {}],
	])('is not what was sent %s', async (_, changed, line) => {
		lines.add({ id: 'another', beganAt: 0, ids: [], unfinished: [] }, 'an item', [{ json: { id: 'doc_elsewhere' } }]);
		const { item, hints } = retried([[document(changed)]], line);
		await expect(makes(item, WITHOUT)).resolves.toBe(NEW);
		expect(hints).toEqual([]);
	});

	it('is what its own line has put out in this process', async () => {
		lines.add({ id: 'the line', beganAt: 0, ids: [], unfinished: [] }, 'an item', [{ json: { id: 'doc_same' } }]);
		const { item } = retried([[document({ id: 'doc_same' })]]);
		await expect(makes(item, WITHOUT)).resolves.toMatchObject({ id: 'doc_same' });
	});

	it('is gone on with where it went out from the draft of the item, whatever else is there', async () => {
		const { item, hints } = retried([[document(), document({ id: 'doc_other' })]], draft('another', 'mine'));
		await expect(makes(item, WITHOUT)).resolves.toBe(NEW);
		expect(hints).toEqual([]);
	});

	it('is not looked for where a draft is wanted, and nobody is asked for the title where nothing was sent', async () => {
		const likeness = () => Promise.reject(new Error('Nobody needs it'));
		const { item, reads } = retried([[]]);
		await expect(makes(item, { ...WITHOUT, likeness, send: false })).resolves.toBe(NEW);
		expect(reads()).toBe(0);
		await expect(makes(item, { ...WITHOUT, likeness })).resolves.toBe(NEW);
		expect(reads()).toBe(1);
	});
});

it('What an item has put out is known in this process after thousands of others', () => {
	const line: Line = { id: 'L', beganAt: 0, ids: [], unfinished: [] };
	for (let count = 0; count < 5_000; count++) lines.add(line, `item ${count}`, []);
	expect([lines.outputOf('item 0'), lines.outputOf('item 4999')]).toEqual([[], []]);
});
