import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { N8n } from '../../../harness/n8nCore/n8n';
import { ServiceClient } from '../../../harness/serviceClient';
import { ESign } from '../../../nodes/ESign/ESign.node';
import { json, startScripted } from '../../client/support/scriptedService';
import { bench, openBench, SIGNERS } from '../support/operationRun';
import { DRAFT } from '../support/workbench';

openBench();

/** Five drafts an hour apart, the oldest first: A and C to Ada, B, D and E to Grace; D and E are sent. */
async function fiveDocuments(): Promise<IDataObject[]> {
	const made: IDataObject[] = [];
	for (const [index, title] of ['A offer', 'B NDA', 'C Offer', 'D nda', 'E other'].entries()) {
		const [document = {}] = await bench.prepare('document', index > 2 ? 'createAndSend' : 'create', {
			...DRAFT,
			title,
			recipients: { recipient: [SIGNERS[index % 2 === 0 && index < 4 ? 0 : 1]] } as INodeParameters,
		});
		made.push(document);
		await bench.sandbox.control.advance(3600);
	}
	return made;
}

async function found(filters: INodeParameters, more: INodeParameters = { returnAll: true }) {
	const { items, error } = await bench.run('document', 'getAll', { ...more, filters });
	expect(error).toBeUndefined();
	const requests = bench.takeRequests().map(({ query }) => query);
	return { titles: items.map(({ json }) => String(json.title)), requests };
}

describe('Document > Get Many > Filters', () => {
	it('one status is asked of the service, several are one list each, newest first', async () => {
		await fiveDocuments();
		await expect(found({ status: ['in_progress'] })).resolves.toEqual({
			titles: ['E other', 'D nda'],
			requests: [{ limit: '100', status: 'in_progress' }],
		});
		await expect(found({ status: ['draft', 'in_progress'] }, { limit: 3 })).resolves.toEqual({
			titles: ['E other', 'D nda', 'C Offer'],
			requests: [
				{ limit: '3', status: 'draft' },
				{ limit: '3', status: 'in_progress' },
			],
		});
	});

	it('a document that moves on between the lists comes once, in the state it was seen in last', async () => {
		const inBoth = { id: 'doc_1', title: 'T', recipients: [], created_at: '2026-11-01T00:00:00.000Z' };
		const asked: string[] = [];
		const service = await startScripted(({ url }, response) => {
			const status = new URL(url, 'http://x').searchParams.get('status') ?? '';
			asked.push(status);
			json(response, 200, { data: [{ ...inBoth, status }], has_more: false, next_cursor: null });
		});
		const parameters = { resource: 'document', operation: 'getAll', filters: { status: ['completed', 'in_progress'] } };
		const n8n = new N8n({ 'n8n-nodes-esign.eSign': new ESign() }, service.credential);
		const { items, error } = await n8n.runNode('n8n-nodes-esign.eSign', { parameters });
		await service.close();
		expect(error).toBeUndefined();
		expect(asked).toEqual(['in_progress', 'completed']);
		expect(items.map(({ json: { id, status } }) => [id, status])).toEqual([['doc_1', 'completed']]);
	});

	it('so many days old, by the clock of n8n, and the earlier moment where there is another', async () => {
		await fiveDocuments();
		const now = Date.now() + 9 * 86_400_000 + 2.5 * 3_600_000;
		jest.spyOn(Date, 'now').mockReturnValue(now);
		try {
			expect((await found({ olderThanDays: 9 })).titles).toEqual(['C Offer', 'B NDA', 'A offer']);
			const earlier = new Date(now - 10 * 86_400_000).toISOString();
			expect((await found({ olderThanDays: 9, createdBefore: earlier })).titles).toEqual([]);
			expect((await found({ olderThanDays: 9, createdBefore: new Date(now).toISOString() })).titles).toHaveLength(3);
			const { error } = await bench.run('document', 'getAll', {
				filters: { olderThanDays: 9, createdAfter: new Date(now).toISOString() },
			});
			expect(error?.message).toMatch(/^Filters > Older Than \(Days\) is not later than Created After/);
		} finally {
			jest.restoreAllMocks();
		}
	});

	it('a title in any case, and a recipient in any case', async () => {
		await fiveDocuments();
		expect((await found({ titleContains: 'offer' })).titles).toEqual(['C Offer', 'A offer']);
		expect((await found({ recipientEmail: 'ADA@example.com' })).titles).toEqual(['C Offer', 'A offer']);
		expect((await found({ titleContains: 'nda', recipientEmail: 'grace@example.com' })).titles).toEqual([
			'D nda',
			'B NDA',
		]);
	});

	it('a span of time; the limit counts what is found', async () => {
		const [, second, , fourth] = await fiveDocuments();
		const createdAfter = String(second?.created_at);
		const createdBefore = String(fourth?.created_at);
		expect((await found({ createdAfter })).titles).toEqual(['E other', 'D nda', 'C Offer']);
		expect((await found({ createdAfter, createdBefore })).titles).toEqual(['C Offer']);
		expect((await found({ titleContains: 'offer' }, { limit: 1 })).titles).toEqual(['C Offer']);
	});

	it('a list that is newest first is read no further than Created After', async () => {
		const service = new ServiceClient(bench.sandbox.url, bench.sandbox.keys.test);
		const files = [(await service.upload()).id];
		for (let page = 0; page < 2; page++) {
			for (let number = 0; number < 101; number++) {
				await service.api('POST', '/documents', { files, recipients: [SIGNERS[0]] });
			}
			await bench.sandbox.control.advance(7200);
		}
		const [newest = {}] = await bench.prepare('document', 'getAll', { limit: 1 });
		const createdAfter = new Date(Date.parse(String(newest.created_at)) - 3_600_000).toISOString();
		const { titles, requests } = await found({ createdAfter });
		expect(titles).toHaveLength(101);
		expect(requests).toHaveLength(2);
	});

	it('refuses a span that holds nothing, and a time that is none, before any request', async () => {
		const refused = async (filters: INodeParameters) =>
			(await bench.run('document', 'getAll', { filters })).error?.message;
		const span = { createdAfter: '2026-11-02T00:00:00Z', createdBefore: '2026-11-01T00:00:00Z' };
		await expect(refused(span)).resolves.toMatch(/^Filters > Created Before is not later than Created After/);
		await expect(refused({ createdAfter: 'last Monday' })).resolves.toMatch(
			/^Filters > Created After: "last Monday" is not/,
		);
		await expect(refused({ recipientEmail: 'ada' })).resolves.toMatch(/^Filters > Recipient Email: "ada" is not/);
		expect(bench.takeRequests()).toEqual([]);
	});
});
