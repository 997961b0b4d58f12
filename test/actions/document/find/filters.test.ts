import type { IDataObject } from 'n8n-workflow';
import { execute } from '../../../../nodes/ESign/actions/document/getAll.operation';
import { askWithoutPauses, scriptedItem } from '../../support/scriptedItem';

askWithoutPauses();

const ADA = { email: 'ada@example.com' };
const GRACE = { email: 'grace@example.com' };
const at = (hour: number) => `2026-11-01T0${hour}:00:00.000Z`;
const document = (title: string, hour: number, recipients: object, status = 'draft') => ({
	id: `doc_${hour}`,
	title,
	status,
	recipients: [recipients].flat(),
	created_at: at(hour),
});

/** Newest first, an hour apart, as the service lists them. */
const FIVE = [
	document('E other', 5, GRACE, 'in_progress'),
	document('D nda', 4, GRACE, 'in_progress'),
	document('C Offer', 3, ADA),
	document('B NDA', 2, GRACE),
	document('A offer', 1, [ADA, GRACE]),
];

/**
 * What Get Many finds among the documents, which the service gives in pages of the size that is
 * asked for.
 */
async function found(
	filters: IDataObject,
	{ documents = FIVE, limit }: { documents?: typeof FIVE; limit?: number } = {},
) {
	const { item, asked } = scriptedItem(
		{ filters, returnAll: limit === undefined, limit },
		({ query }) => {
			const listed = documents.filter(({ status }) => (query.status ?? status) === status);
			const start = Number(query.cursor ?? 0);
			const next = start + Number(query.limit);
			const more = next < listed.length;
			return {
				body: {
					data: listed.slice(start, next),
					has_more: more,
					next_cursor: more ? String(next) : null,
				},
			};
		},
	);
	const output = await execute(item);
	return {
		titles: output.map(({ title }) => title),
		output,
		requests: asked.map(({ query }) => query),
	};
}

describe('Document > Get Many > Filters', () => {
	afterEach(() => jest.restoreAllMocks());

	it('a document whose date cannot be read is left out by a filter by date alone', async () => {
		const documents = [{ ...document('NDA', 1, ADA), created_at: 'yesterday' }];
		const titles = async (filters: IDataObject) => (await found(filters, { documents })).titles;
		await expect(titles({ titleContains: 'nda' })).resolves.toEqual(['NDA']);
		await expect(titles({ createdBefore: at(5) })).resolves.toEqual([]);
	});

	it('one status is asked of the service, several are one list each, newest first', async () => {
		await expect(found({ status: ['in_progress'] })).resolves.toMatchObject({
			titles: ['E other', 'D nda'],
			requests: [{ limit: 100, status: 'in_progress' }],
		});
		await expect(found({ status: ['in_progress', 'draft'] }, { limit: 3 })).resolves.toMatchObject({
			titles: ['E other', 'D nda', 'C Offer'],
			requests: [
				{ limit: 3, status: 'draft' },
				{ limit: 3, status: 'in_progress' },
			],
		});
		const every = ['expired', 'cancelled', 'declined', 'completed', 'in_progress', 'draft'];
		const { requests } = await found({ status: every });
		expect(requests.map(({ status }) => status)).toEqual(every.toReversed());
	});

	it('a document that moves on between the lists comes once, in the state it was seen in last', async () => {
		const documents = [document('T', 1, ADA, 'completed'), document('T', 1, ADA, 'in_progress')];
		const { output } = await found({ status: ['completed', 'in_progress'] }, { documents });
		expect(output.map(({ id, status }) => [id, status])).toEqual([['doc_1', 'completed']]);
	});

	it('so many days old, by the clock of n8n, and the earlier moment where there is another', async () => {
		const now = Date.parse(at(3)) + 9 * 86_400_000 + 1;
		jest.spyOn(Date, 'now').mockReturnValue(now);
		const ago = (days: number) => new Date(now - days * 86_400_000).toISOString();
		expect((await found({ olderThanDays: 9 })).titles).toEqual(['C Offer', 'B NDA', 'A offer']);
		expect((await found({ olderThanDays: 9, createdBefore: ago(10) })).titles).toEqual([]);
		expect((await found({ olderThanDays: 9, createdBefore: ago(0) })).titles).toHaveLength(3);
		expect((await found({ olderThanDays: 1e9 })).titles).toEqual([]);
		await expect(found({ olderThanDays: 9, createdAfter: ago(0) })).rejects.toThrow(
			'Filters > Older Than (Days) is not later than Created After, so no document can be found',
		);
	});

	it.each<[IDataObject, string[]]>([
		[{ titleContains: 'offer' }, ['C Offer', 'A offer']],
		[{ recipientEmail: 'ADA@example.com' }, ['C Offer', 'A offer']],
		[{ titleContains: 'nda', recipientEmail: 'grace@example.com' }, ['D nda', 'B NDA']],
		[{ createdAfter: at(2) }, ['E other', 'D nda', 'C Offer']],
		[{ createdAfter: at(2), createdBefore: at(4) }, ['C Offer']],
		[{ createdBefore: at(2) }, ['A offer']],
		[{}, FIVE.map(({ title }) => title)],
	])('%j finds %j', async (filters, titles) => {
		expect((await found(filters)).titles).toEqual(titles);
	});

	it('a title is found however its characters are composed', async () => {
		const documents = [document('Verträge'.normalize('NFD'), 1, ADA)];
		expect((await found({ titleContains: 'VERTRÄGE' }, { documents })).titles).toHaveLength(1);
	});

	it('the limit counts what is found', async () => {
		expect((await found({ titleContains: 'offer' }, { limit: 1 })).titles).toEqual(['C Offer']);
	});

	it('a list that is newest first is read no further than Created After', async () => {
		const many = (hour: number) =>
			Array.from({ length: 101 }, (_, n) => ({
				...document('T', hour, ADA),
				id: `doc_${hour}_${n}`,
			}));
		const { titles, requests } = await found(
			{ createdAfter: at(2) },
			{ documents: [...many(3), ...many(1), ...many(1)] },
		);
		expect(titles).toHaveLength(101);
		expect(requests).toHaveLength(2);
	});

	it.each<[IDataObject, string]>([
		[
			{ createdAfter: at(2), createdBefore: at(1) },
			'Filters > Created Before is not later than Created After',
		],
		[
			{ createdAfter: at(2), createdBefore: at(2) },
			'Filters > Created Before is not later than Created After',
		],
		[{ createdAfter: 'last Monday' }, 'Filters > Created After: "last Monday" is not'],
		[{ createdBefore: 'Monday' }, 'Filters > Created Before: "Monday" is not'],
		[{ recipientEmail: 'ada' }, 'Filters > Recipient Email: "ada" is not a valid email address'],
		[{ titleContains: 'x'.repeat(161) }, 'Filters > Title Contains has 161 characters'],
		[{ status: ['signed'] }, 'Filters > Status: "signed" is not one of its values'],
		[{ olderThanDays: -1 }, 'Filters > Older Than (Days): -1 is not a number of 0 or more'],
	])('%j is refused before any request', async (filters, message) => {
		const { item, asked } = scriptedItem({ filters, returnAll: true });
		const failure = execute(item);
		await expect(failure).rejects.toThrow(message);
		await expect(failure).rejects.toMatchObject({
			description: expect.stringMatching(/^\w.* /) as string,
		});
		expect(asked).toEqual([]);
	});
});
