import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { N8n } from '../../../harness/n8nCore/n8n';
import { ESign } from '../../../nodes/ESign/ESign.node';
import { byId } from '../../actions/support/workbench';
import { json, startScripted, type ScriptedService } from '../../client/support/scriptedService';

const TYPE = 'n8n-nodes-esign.eSign';
const HOUR = 3_600_000;

const parameters: INodeParameters = {
	resource: 'template',
	operation: 'send',
	templateId: byId('tpl_1'),
	recipientsInput: 'json',
	recipientsJson: '[{ "role": "Client", "name": "Ada", "email": "ada@example.com" }]',
	additionalFields: { title: 'Wanted', skipIfCreatedWithin: 24 },
};

const document = (id: string, title: string, hoursAgo: number, now: number) => ({
	id,
	title,
	status: 'in_progress',
	mode: 'TEST',
	recipients: [{ id: 'rcp_1', name: 'Ada', email: 'ada@example.com', role: 'Client', status: 'sent' }],
	created_at: new Date(now - hoursAgo * HOUR).toISOString(),
});

/** Services whose lists the sandbox never gives; the order of a list is not promised (docs/service.md section 10). */
describe('The look before a document is sent', () => {
	let service: ScriptedService;
	/** The titles of each page, with the hours since each was created. */
	let pages: string[];
	/** How far the clock of the service is ahead of ours, in milliseconds. */
	let ahead = 0;
	/** A key of its own for each test: what is known of the service's clock is kept by key. */
	let keys = 0;

	beforeAll(async () => {
		service = await startScripted(({ method, url }, response) => {
			const now = Date.now() + ahead;
			const date = new Date(now).toUTCString();
			if (method === 'POST') return json(response, 200, document('doc_new', 'Wanted', 0, now), { date });
			const page = Number(new URL(url, service.origin).searchParams.get('cursor') ?? 0);
			const data = (pages[page] ?? '').split(', ').map((entry, index) => {
				const [title = '', hoursAgo] = entry.split(' ');
				return document(`doc_${page}_${index}`, title, Number(hoursAgo), now);
			});
			const hasMore = page + 1 < pages.length;
			json(response, 200, { data, has_more: hasMore, next_cursor: hasMore ? String(page + 1) : null }, { date });
		});
	});
	beforeEach(() => {
		ahead = 0;
	});
	afterAll(async () => await service.close());

	async function send(): Promise<{ json: IDataObject | undefined; pagesRead: number; sent: number }> {
		service.seen.length = 0;
		const credential = { ...service.credential, apiKey: `sk_test_order${++keys}` };
		const { items, error } = await new N8n({ [TYPE]: new ESign() }, credential).runNode(TYPE, { parameters });
		if (error) throw error;
		const count = (method: string) => service.seen.filter((seen) => seen.method === method).length;
		return { json: items[0]?.json, pagesRead: count('GET'), sent: count('POST') };
	}

	it('reads a list that is newest first no further than the time asked for', async () => {
		pages = ['Other 1, Other 30', 'Wanted 31'];
		await expect(send()).resolves.toMatchObject({ json: { id: 'doc_new' }, pagesRead: 1, sent: 1 });
	});

	it.each([
		['oldest first', ['Other 90, Other 60', 'Wanted 5']],
		['in no order', ['Other 1, Other 90, Other 2, Other 80', 'Wanted 5']],
		['that begins with an old document', ['Other 90', 'Wanted 5']],
	])('finds the document in a list %s', async (_, list) => {
		pages = list;
		await expect(send()).resolves.toMatchObject({ json: { already_existed: true }, pagesRead: 2, sent: 0 });
	});

	it.each([-12, 12])('goes by the clock of the service, which is %d hours ahead of ours', async (hours) => {
		ahead = hours * HOUR;
		pages = ['Other 1, Wanted 23.9, Wanted 30'];
		await expect(send()).resolves.toMatchObject({ json: { id: 'doc_0_1', already_existed: true }, sent: 0 });
		pages = ['Other 1, Wanted 24.1'];
		await expect(send()).resolves.toMatchObject({ json: { id: 'doc_new' }, sent: 1 });
	});

	it('sends nothing when the list does not end', async () => {
		pages = Array.from({ length: 60 }, () => 'Other 1');
		await expect(send()).rejects.toMatchObject({
			message: expect.stringContaining('the newest documents are not among the first 5000 of the list') as string,
		});
		expect(service.seen.filter(({ method }) => method === 'POST')).toEqual([]);
	});
});
