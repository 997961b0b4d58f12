import type { IDataObject, INodeListSearchResult, ResourceMapperFields } from 'n8n-workflow';
import { methods } from '../../nodes/ESign/methods';
import { bench, documents, templateIds } from '../actions/support/operationRun';
import { byId, DRAFT } from '../actions/support/workbench';
import { CREATE_LINK, look, openForms, TEMPLATE_SEND, UPDATE_FIELDS, type Look } from './forms';

const { listSearch, loadOptions, resourceMapping } = methods;
openForms();

const search = async (method: Look, filled: object, ...asked: string[]) =>
	(await look(method, filled, ...asked)) as INodeListSearchResult;

const draft = async (title: string): Promise<IDataObject> => {
	const [document = {}] = await bench.prepare('document', 'create', { ...DRAFT, title });
	return document;
};

/** The day on which something was made, which may be yesterday by now. */
const dayOf = (made: IDataObject = {}) => String(made.created_at).slice(0, 10);

describe('The document list', () => {
	const GET = { resource: 'document', operation: 'get' };

	it('shows title, status, date and recipients, newest first, and finds a title, whatever its case, and an ID', async () => {
		const first = await draft('First');
		const second = await draft('Second');
		const shown = (document: IDataObject) => ({
			name: `${String(document.title)} · draft · ${dayOf(document)} · ada@example.com`,
			value: document.id,
		});
		await expect(search(listSearch.searchDocuments, GET)).resolves.toEqual({
			results: [shown(second), shown(first)],
		});
		expect(bench.takeRequests()).toMatchObject([{ path: '/documents', query: { limit: '100' } }]);
		for (const words of ['fIRST', String(first.id)]) {
			const { results } = await search(listSearch.searchDocuments, GET, words);
			expect(results).toEqual([shown(first)]);
		}
		await expect(search(listSearch.searchDocuments, GET, 'third')).resolves.toEqual({
			results: [],
		});
	});

	const ALL = ['draft', 'draft', 'completed', 'in_progress'];
	it('shows for each operation what it can take, and for a download the signed ones first', async () => {
		const [, second] = await documents(true);
		await documents(false);
		// The service lists the newest first: of those that were sent, the second.
		await bench.sandbox.control.sign(String(second?.recipientId));
		const all = await bench.prepare('document', 'getAll', { returnAll: true });
		const statusOf = new Map(all.map(({ id, status }) => [id, status]));
		const statusesFor = async (operation: string) => {
			const { results } = await search(listSearch.searchDocuments, {
				resource: 'document',
				operation,
			});
			return results.map(({ value }) => statusOf.get(value as string));
		};
		for (const operation of ['send', 'updateFields', 'updateRecipients']) {
			expect([operation, ...(await statusesFor(operation))]).toEqual([operation, 'draft', 'draft']);
		}
		for (const operation of ['cancel', 'remind', 'wait', 'createEmbedLink']) {
			expect([operation, ...(await statusesFor(operation))]).toEqual([operation, 'in_progress']);
		}
		await expect(statusesFor('get')).resolves.toEqual(ALL);
		await expect(statusesFor('download')).resolves.toEqual([
			'completed',
			'draft',
			'draft',
			'in_progress',
		]);
	});
});

it('A list of several pages costs one request for each, and is searched on until something is found, three at a time', async () => {
	const roles = [{ role: 'A', type: 'SIGNER' as const }];
	// Five pages, the needle on the last.
	for (const name of ['Needle', ...Array.from({ length: 405 }, (_, number) => `Hay ${number}`)]) {
		await bench.sandbox.control.createTemplate({
			mode: 'TEST',
			name,
			status: 'PUBLISHED',
			roles,
			fields: [],
		});
	}
	const find = async (...asked: string[]) => {
		const { results, paginationToken } = await search(
			listSearch.searchTemplates,
			TEMPLATE_SEND,
			...asked,
		);
		return { results, token: paginationToken as string, requests: bench.takeRequests().length };
	};
	bench.takeRequests();
	const first = await find();
	const second = await find('', first.token);
	expect([first.requests, second.requests]).toEqual([1, 1]);
	expect(new Set([...first.results, ...second.results].map(({ value }) => value)).size).toBe(200);
	// The first two pages are known by now.
	const none = await find('needle');
	expect(none).toEqual({ results: [], token: expect.any(String) as string, requests: 1 });
	const last = await find('needle', none.token);
	expect(last).toMatchObject({
		results: [{ name: expect.stringMatching(/^Needle \(A\) · \d{4}-\d\d-\d\d$/) as string }],
	});
	expect(last.requests).toBe(2);
});

it('The lists of webhooks, deliveries, links and recipients show what tells their entries apart', async () => {
	const url = 'http://127.0.0.1:9/events';
	const [webhook] = await bench.prepare('webhook', 'create', { url, events: ['document.sent'] });
	const document = await draft('Contract');
	await bench.prepare('document', 'send', { documentId: byId(document.id) });
	await bench.sandbox.control.advance(60);

	const webhooks = await search(listSearch.searchWebhooks, {
		resource: 'webhook',
		operation: 'delete',
	});
	expect(webhooks.results).toEqual([
		{ name: `active · ${dayOf(webhook)} · 127.0.0.1:9/events`, value: webhook?.id },
	]);
	const replay = { resource: 'webhookDelivery', operation: 'replay', webhookId: byId(webhook?.id) };
	const deliveries = await search(listSearch.searchDeliveries, replay);
	expect(
		deliveries.results.map(({ name }) => name.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, 'at')),
	).toEqual(
		[3, 2, 1].map(
			(attempt) => `document.sent · attempt ${attempt} · failed (no response) · at UTC`,
		),
	);
	const remind = { resource: 'document', operation: 'remind', documentId: byId(document.id) };
	const [ada] = document.recipients as IDataObject[];
	await expect(search(listSearch.searchRecipients, remind, 'ada')).resolves.toEqual({
		results: [{ name: 'Ada Lovelace <ada@example.com> · sent', value: ada?.id }],
	});
});

describe('What the chosen template gives:', () => {
	const shown = async (method: Look, id: string) => {
		const { fields } = (await look(method, {
			...TEMPLATE_SEND,
			templateId: byId(id),
		})) as ResourceMapperFields;
		// What is not to be displayed would be nowhere in the form.
		expect(fields.filter(({ display }) => !display)).toEqual([]);
		return fields.map(
			({ displayName, type, removed = false }) =>
				`${displayName}: ${type}${removed ? ', to add' : ''}`,
		);
	};

	it('a name, an address and a phone for each of its roles, in their order; the phone waits to be added', async () => {
		const { offer } = await templateIds();
		await expect(shown(resourceMapping.getTemplateRecipients, offer)).resolves.toEqual([
			...['Candidate name: string', 'Candidate email: string', 'Candidate phone: string, to add'],
			...['HR name (CC): string', 'HR email (CC): string', 'HR phone (CC): string, to add'],
		]);
	});

	it('the fields that can be prefilled, typed and grouped by role; a checkbox, which the editor would untick, waits', async () => {
		const { nda, offer } = await templateIds();
		await expect(shown(resourceMapping.getTemplateFields, nda)).resolves.toEqual([
			...[
				'client_company (Client, text): string',
				'term_months (Client, number): number',
				'client_signed_on (Client, date YYYY-MM-DD): string',
			],
			...[
				'effective_date (Company, date YYYY-MM-DD): string',
				'governing_law (Company, dropdown): string',
			],
		]);
		await expect(shown(resourceMapping.getTemplateFields, offer)).resolves.toEqual([
			...[
				'position (Candidate, text): string',
				'salary (Candidate, number): number',
				'notes (Candidate, long text): string',
			],
			...[
				'relocation (Candidate, checkbox): boolean, to add',
				'candidate_phone (Candidate, phone): string',
			],
		]);
	});

	it('the placeholders of its signers', async () => {
		const { offer } = await templateIds();
		const created = { ...CREATE_LINK, templateId: byId(offer) };
		await expect(look(loadOptions.getTemplatePlaceholders, created)).resolves.toEqual([
			{ name: 'Candidate (signer)', value: expect.stringMatching(/^ph_/) as string },
		]);
	});
});

it('The recipients that a field can name are those of the form or draft: by email, or by position where it is an expression', async () => {
	const recipient = [
		{ name: 'Ada', email: 'ada@example.com', type: 'signer' },
		{ name: '={{ $json.name }}', email: '={{ $json.email }}', type: 'signer' },
		{ name: 'Copy', email: 'cc@example.com', type: 'cc' },
	];
	const create = { resource: 'document', operation: 'create', recipients: { recipient } };
	await expect(look(loadOptions.getFieldRecipients, create)).resolves.toEqual([
		{ name: 'Ada <ada@example.com>', value: 'ada@example.com' },
		{ name: 'Recipient 2', value: '2' },
		{ name: 'Copy <cc@example.com> (CC)', value: 'cc@example.com' },
	]);
	const { id } = await draft('Contract');
	const update = { ...UPDATE_FIELDS, documentId: byId(id) };
	await expect(look(loadOptions.getFieldRecipients, update)).resolves.toEqual([
		{ name: 'Ada Lovelace <ada@example.com>', value: 'ada@example.com' },
	]);
});
