import { client, fingerprint, runOf, type Document } from '../../../nodes/ESign/client';
import { lines, type Line } from '../../../nodes/ESign/sending/line';
import { sentInstead, type Creation } from '../../../nodes/ESign/sending/skipIfCreated';
import {
	ADA,
	document,
	gives,
	HOUR,
	itemOf,
	makes as makesOf,
	NEW,
	NOW,
	unwanted,
} from '../support/creation';

describe('In a retry, what another worker has sent for the item since the line began', () => {
	/** Two hours after its line began. */
	function retried(pages: Document[][], changed: Partial<Line> = {}) {
		const made = itemOf(pages);
		const line: Line = {
			id: 'the line',
			beganAt: NOW - 2 * HOUR,
			ids: [],
			made: [],
			unfinished: [],
			...changed,
		};
		Object.assign(made.item.context, {
			getMode: () => 'retry',
			getContext: () => ({ eSign: line }),
		});
		const { context } = made.item;
		const mine = { item: 'mine', run: 'this run', raw: '', ids: [] };
		runOf(context).beginTry(0, { ...mine, line: line.id, saved: line.unfinished });
		const begun = async () => await client.begunBy(context, 'POST /documents', { itemIndex: 0 });
		const makes = async (changed: Partial<Creation<Document>> = {}) =>
			await makesOf(made.item, { withinHours: undefined, begun, ...changed });
		return { ...made, makes };
	}
	/** What is saved with the execution of a draft of these items. */
	const draft = (id: string, ...items: string[]) => ({
		unfinished: [
			{ id: 'a reminder', items: ['mine'] },
			{ id: `from ${id}`, items, draft: { id } },
		],
	});

	it('comes out, with a hint that names it', async () => {
		const { makes, hints, reads } = retried([[document()]]);
		await expect(makes()).resolves.toEqual(document());
		// A later round, to which an error output leads back, is to find it as well.
		expect(lines.ownerById.get('doc_there')).toMatchObject({ item: 'mine', run: 'this run' });
		expect(hints).toEqual([
			expect.stringMatching(/^Not sent again, .*with the same title and people: doc_there\. /),
		]);
		expect(reads()).toBe(1);
	});

	it.each<[string, Partial<Document> & { hoursAgo?: number }, Partial<Line>]>([
		['before the line began', { hoursAgo: 2.1 }, {}],
		['as a draft', { status: 'draft' }, {}],
		['and withdrawn', { status: 'cancelled' }, {}],
		['with another title', { title: 'U' }, {}],
		['to somebody in another role', { recipients: [{ ...ADA, role: 'HR' }] as never }, {}],
		['for another item of this execution', {}, { ids: ['doc_there'] }],
		['from the draft of another item', { id: 'doc_drafted' }, draft('doc_drafted', 'another')],
		['for another item in this process', { id: 'doc_elsewhere' }, {}],
	])('is not what was sent %s', async (_, changed, line) => {
		lines.own({ id: 'the line', beganAt: 0, ids: [], made: [], unfinished: [] }, 'another', [
			{ json: { id: 'doc_elsewhere' } },
		]);
		const { makes, hints } = retried([[document(changed)]], line);
		await expect(makes()).resolves.toBe(NEW);
		expect(hints).toEqual([]);
	});

	it('is the first of what could be its own: items go in their order, and the list has the newest first', async () => {
		const { makes } = retried([[document({ id: 'doc_2' }), document({ id: 'doc_1' })]]);
		await expect(makes()).resolves.toMatchObject({ id: 'doc_1' });
	});

	it('is gone on with where it went out from the draft of the item, whatever else is there', async () => {
		const { makes, hints } = retried(
			[[document({ id: 'doc_mine' }), document({ id: 'doc_other' })]],
			draft('doc_mine', 'another', 'mine'),
		);
		await expect(makes()).resolves.toBe(NEW);
		expect(hints).toEqual([]);
	});

	it('is what is free, beside the draft of another item', async () => {
		const { makes } = retried(
			[[document({ id: 'doc_drafted' }), document({ id: 'doc_other' })]],
			draft('doc_drafted', 'another'),
		);
		await expect(makes()).resolves.toMatchObject({ id: 'doc_other' });
	});

	it.each([
		['another round of this line', 'the line', 'T', 'another run', 1, false],
		['a row of the same round that stood at another place', 'the line', 'T', 'this run', 1, false],
		['an equal row of the same round that is here as well', 'the line', 'T', 'this run', 2, true],
		['another row of the same round', 'the line', 'U', 'this run', 1, true],
		['this row of the same round, made anew', 'the line', 'U', 'this run', 0, false],
		['another line', 'another line', 'T', 'another run', 0, true],
		['another round that has asked for something else', 'the line', 'U', 'another run', 0, true],
	])(
		'is made anew or not where it is known to be that of %s',
		async (_, id, asked, run, index, isNew) => {
			const { makes, item } = retried([[document({ id: 'doc_round' })]]);
			lines.rows.set(
				runOf(item.context).execution,
				new Set(index === 2 ? ['of a later round'] : []),
			);
			lines.ownerById.set('doc_round', {
				item: 'of a later round',
				run,
				index,
				asked: fingerprint([id, asked]),
			});
			lines.own({ id: 'any', beganAt: 0, ids: [], made: [], unfinished: [] }, 'of a later round', [
				{ json: { id: 'doc_round' } },
			]);
			await expect(makes()).resolves.toMatchObject({ id: isNew ? NEW.id : 'doc_round' });
		},
	);

	it.each<[string, Partial<Document>, Line['made'], string | undefined]>([
		[
			'of a draft that a retry has made',
			{},
			[['doc_draft', { item: 'made', asked: 'T' }]],
			'doc_there',
		],
		['of a draft that the first execution has made', {}, [], undefined],
		[
			'of a draft that is out itself',
			{ status: 'in_progress' },
			[['doc_draft', { item: 'made', asked: 'T' }]],
			undefined,
		],
		['for another row', { title: 'U' }, [['doc_draft', { item: 'made', asked: 'U' }]], undefined],
	])('is found or not by Document > Send in place %s', async (_, changed, made, id) => {
		const draft = document({ id: 'doc_draft', status: 'draft', ...changed });
		const { item, reads } = retried([[draft, document()]], { made });
		lines.ownerById.set('doc_there', { item: 'of another round', run: 'R', asked: 'T' });
		expect((await sentInstead(item, 'doc_draft'))?.id).toBe(id);
		expect(reads()).toBe(made.length);
		if (id) expect(lines.ownerById.get('doc_draft')).toMatchObject({ item: 'made' });
	});

	it('is not looked for where a draft is wanted or a request in doubt is gone on with, and nobody is asked for the title where nothing was sent', async () => {
		const { makes, reads } = retried([[]]);
		await expect(makes({ likeness: unwanted, send: false })).resolves.toBe(NEW);
		await expect(makes({ likeness: unwanted, begun: gives([undefined]) })).resolves.toBe(NEW);
		expect(reads()).toBe(0);
		await expect(makes({ likeness: unwanted })).resolves.toBe(NEW);
		expect(reads()).toBe(1);
	});
});

it('What an item has put out is known in this process after thousands of others', () => {
	for (let count = 0; count < 5_000; count++) lines.outputs.set(`item ${count}`, []);
	expect([lines.outputs.get('item 0'), lines.outputs.get('item 4999')]).toEqual([[], []]);
});
