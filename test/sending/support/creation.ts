import type { Document } from '../../../nodes/ESign/client';
import type { Item } from '../../../nodes/ESign/operation/parameters';
import { unlessCreated, type Creation } from '../../../nodes/ESign/sending/skipIfCreated';
import { scriptedItem } from '../../actions/support/scriptedItem';

export const HOUR = 3_600_000;
export const NOW = Date.UTC(2026, 10, 1);

beforeEach(() =>
	jest.useFakeTimers({ now: NOW, doNotFake: ['setImmediate', 'nextTick', 'setTimeout'] }),
);
afterEach(() => jest.useRealTimers());

export const ADA = { name: 'Ada', email: 'ada@example.com', role: 'Client' };
export const COPY = { name: 'Copy', email: 'copy@example.com', role: null };

/** What somebody has sent an hour ago, unless it says otherwise. */
export function document({
	hoursAgo = 1,
	...changed
}: Partial<Document> & { hoursAgo?: number } = {}): Document {
	const created_at = new Date(NOW - hoursAgo * HOUR).toISOString();
	return {
		id: 'doc_there',
		title: 'T',
		status: 'in_progress',
		recipients: [ADA],
		created_at,
		...changed,
	} as Document;
}

export const NEW = document({ id: 'doc_new', hoursAgo: 0 });

/** An item whose service lists these documents, page by page; or refuses to, with this status. */
export function itemOf(pages: Document[][] | number, { ahead = 0 } = {}) {
	const scripted = scriptedItem({}, ({ path, query }) => {
		if (path.endsWith('/remind')) return { status: 500, body: {} };
		if (typeof pages === 'number')
			return { status: pages, body: { error: { code: 'no', message: 'No' } } };
		const page = Number(query.cursor ?? 0);
		const more = page + 1 < pages.length;
		const headers = { date: new Date(NOW + ahead).toUTCString() };
		return {
			headers,
			body: { data: pages[page], has_more: more, next_cursor: more ? String(page + 1) : null },
		};
	});
	return {
		...scripted,
		reads: () => scripted.asked.filter(({ path }) => path === '/documents').length,
	};
}

export const gives =
	<T>(value: T) =>
	async () =>
		await Promise.resolve(value);

export const unwanted = async () => await Promise.reject(new Error('Nobody needs it'));

const CREATION: Creation<Document> = {
	withinHours: 24,
	likeness: gives({ title: 'T', recipients: [ADA] }),
	send: true,
	asked: 'T',
	begun: gives([]),
	create: gives(NEW),
};
export const makes = async (item: Item, changed: Partial<Creation<Document>> = {}) =>
	await unlessCreated(item, { ...CREATION, ...changed });
