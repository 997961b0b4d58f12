import type { IDataObject, INodeParameters, ResourceMapperField } from 'n8n-workflow';
import { methods } from '../../nodes/ESign/methods';
import { client } from '../../nodes/ESign/client';
import { answerOf, bench, openBench } from '../actions/support/operationRun';
import { byId, DRAFT, peopleOf } from '../actions/support/workbench';

const { listSearch, loadOptions, resourceMapping } = methods;
openBench();

// Lists are kept for a minute, and n8n's clock is a minute further at each test.
const { clock } = client.settings;
let later = 0;
beforeAll(() => void (client.settings.clock = { ...clock, now: () => clock.now() + later }));
beforeEach(() => void (later += 61_000));
afterAll(() => void (client.settings.clock = clock));

async function templateId(name: string): Promise<string> {
	const templates = await bench.prepare('template', 'getAll');
	return String(templates.find((template) => template.name === name)?.id);
}

const draft = async (title: string): Promise<IDataObject> => {
	const [document = {}] = await bench.prepare('document', 'create', { ...DRAFT, title });
	return document;
};

/** The day on which something was made, which may be yesterday by now. */
const dayOf = (made: IDataObject = {}) => String(made.created_at).slice(0, 10);

/** That of the first template of a list. */
const dayOfTemplate = async ({ results }: { results: Array<{ value: unknown }> }) =>
	dayOf((await answerOf(`/templates/${String(results[0]?.value)}`)) as IDataObject);

describe('The document list', () => {
	it('shows title, status, date and recipients, newest first, for one request', async () => {
		await draft('First');
		const second = await draft('Second');
		const { results, paginationToken } = await listSearch.searchDocuments.call(bench.form('document', 'get'));
		expect(results).toEqual([
			{ name: `Second · draft · ${dayOf(second)} · ada@example.com`, value: second.id },
			{ name: expect.stringMatching(/^First · draft · /) as string, value: expect.any(String) as string },
		]);
		expect(paginationToken).toBeUndefined();
		expect(bench.takeRequests()).toMatchObject([{ path: '/documents', query: { limit: '100' } }]);
	});

	it('filters what the page holds by title, whatever its case, and by ID', async () => {
		const first = await draft('First');
		await draft('Second');
		const search = async (filter: string) =>
			(await listSearch.searchDocuments.call(bench.form('document', 'get'), filter)).results.map(({ value }) => value);
		await expect(search('fIRST')).resolves.toEqual([first.id]);
		await expect(search(String(first.id))).resolves.toEqual([first.id]);
		await expect(search('third')).resolves.toEqual([]);
	});
});

describe('A list of several pages', () => {
	const createTemplate = async (name: string) => {
		const roles = [{ role: 'A', type: 'SIGNER' as const }];
		await bench.sandbox.control.createTemplate({ mode: 'TEST', name, status: 'PUBLISHED', roles, fields: [] });
	};

	/** 405 templates: five pages, the needle on the last. */
	beforeEach(async () => {
		await createTemplate('Needle');
		for (let number = 0; number < 405; number++) await createTemplate(`Hay ${number}`);
		bench.takeRequests();
	});

	it('costs one request per page, continued by its token', async () => {
		const first = await listSearch.searchTemplates.call(bench.form('template', 'send'));
		expect(first.results).toHaveLength(100);
		expect(bench.takeRequests()).toHaveLength(1);
		const token = first.paginationToken as string;
		const second = await listSearch.searchTemplates.call(bench.form('template', 'send'), undefined, token);
		expect(second.results).toHaveLength(100);
		expect(bench.takeRequests()).toMatchObject([{ query: { limit: '100', cursor: token } }]);
		const values = [...first.results, ...second.results].map(({ value }) => value);
		expect(new Set(values).size).toBe(200);
	});

	it('is searched on until something is found, and no further than three pages at a time', async () => {
		const found = await listSearch.searchTemplates.call(bench.form('template', 'send'), 'hay 350');
		expect(found.results).toMatchObject([{ name: `Hay 350 (A) · ${await dayOfTemplate(found)}` }]);
		expect(found.paginationToken).toEqual(expect.any(String));
		expect(bench.takeRequests()).toHaveLength(1);
		const form = bench.form('template', 'send');
		const none = await listSearch.searchTemplates.call(form, 'needle');
		expect(none).toEqual({ results: [], paginationToken: expect.any(String) as string });
		// The first page is known from the search before.
		expect(bench.takeRequests()).toHaveLength(2);
		const last = await listSearch.searchTemplates.call(form, 'needle', none.paginationToken as string);
		expect(last.results).toMatchObject([{ name: `Needle (A) · ${await dayOfTemplate(last)}` }]);
		expect(bench.takeRequests()).toHaveLength(2);
	});
});

describe('The lists of webhooks, deliveries and recipients', () => {
	it('show what tells them apart', async () => {
		const url = 'http://127.0.0.1:9/events';
		const [webhook] = await bench.prepare('webhook', 'create', { url, events: ['document.sent'] });
		const document = await draft('Contract');
		await bench.prepare('document', 'send', { documentId: byId(document.id) });
		await bench.sandbox.control.advance(60);

		const webhooks = await listSearch.searchWebhooks.call(bench.form('webhook', 'delete'));
		expect(webhooks.results).toEqual([{ name: `active · ${dayOf(webhook)} · 127.0.0.1:9/events`, value: webhook?.id }]);
		const deliveries = await listSearch.searchDeliveries.call(
			bench.form('webhookDelivery', 'replay', { webhookId: byId(webhook?.id) }),
		);
		expect(deliveries.results).toHaveLength(3);
		for (const { name } of deliveries.results) {
			expect(name).toMatch(
				/^document\.sent · attempt [123] · failed \(no response\) · \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/,
			);
		}
		const form = bench.form('document', 'remind', { documentId: byId(document.id) });
		const recipients = await listSearch.searchRecipients.call(form, 'ada');
		const [ada] = document.recipients as IDataObject[];
		expect(recipients.results).toEqual([{ name: 'Ada Lovelace <ada@example.com> · sent', value: ada?.id }]);
	});
});

describe('What the chosen template gives:', () => {
	it('a name, an address and a phone for each of its roles, in their order; the phone waits to be added', async () => {
		const form = bench.form('template', 'send', { templateId: byId(await templateId('Offer Letter')) });
		const { fields } = await resourceMapping.getTemplateRecipients.call(form);
		expect(fields.map(({ id, displayName, required, removed }) => [id, displayName, required, removed])).toEqual([
			['Candidate name', 'Candidate name', true, undefined],
			['Candidate email', 'Candidate email', true, undefined],
			['Candidate phone', 'Candidate phone', false, true],
			['HR name', 'HR name (CC)', true, undefined],
			['HR email', 'HR email (CC)', true, undefined],
			['HR phone', 'HR phone (CC)', false, true],
		]);
	});

	it('the placeholders of its signers', async () => {
		const form = bench.form('templateLink', 'create', { templateId: byId(await templateId('Offer Letter')) });
		await expect(loadOptions.getTemplatePlaceholders.call(form)).resolves.toEqual([
			{ name: 'Candidate (signer)', value: expect.stringMatching(/^ph_/) as string },
		]);
	});

	it('the fields that can be prefilled, typed and grouped by role', async () => {
		const shown = async (name: string) => {
			const form = bench.form('template', 'send', { templateId: byId(await templateId(name)) });
			const { fields } = await resourceMapping.getTemplateFields.call(form);
			return fields.map(({ id, displayName, type, required }: ResourceMapperField) => [
				id,
				displayName,
				type,
				required,
			]);
		};
		await expect(shown('Mutual NDA')).resolves.toEqual([
			['client_company', 'client_company (text)', 'string', false],
			['term_months', 'term_months (number)', 'number', false],
			['client_signed_on', 'client_signed_on (date)', 'string', false],
			['effective_date', 'effective_date (date)', 'string', false],
			['governing_law', 'governing_law (dropdown)', 'string', false],
		]);
		await expect(shown('Offer Letter')).resolves.toEqual([
			['position', 'position (text)', 'string', false],
			['salary', 'salary (number)', 'number', false],
			['notes', 'notes (long text)', 'string', false],
			['relocation', 'relocation (checkbox)', 'boolean', false],
			['candidate_phone', 'candidate_phone (phone)', 'string', false],
		]);
	});
});

describe('A list that cannot be filled', () => {
	it('is empty while nothing is chosen that it depends on, as in a workflow that was just imported', async () => {
		const form = bench.form('template', 'send', { templateId: { __rl: true, mode: 'list', value: '' } });
		await expect(resourceMapping.getTemplateRecipients.call(form)).resolves.toMatchObject({ fields: [] });
		await expect(resourceMapping.getTemplateFields.call(form)).resolves.toMatchObject({ fields: [] });
		const remind = bench.form('document', 'remind', { documentId: byId('') });
		await expect(listSearch.searchRecipients.call(remind)).resolves.toEqual({ results: [] });
		const get = bench.form('templateLink', 'get', { templateId: byId('') });
		await expect(listSearch.searchTemplateLinks.call(get)).resolves.toEqual({ results: [] });
		expect(bench.takeRequests()).toEqual([]);
	});

	it('says what fills the fields, and nothing about fields where they are mapped automatically', async () => {
		const open = { templateId: byId('') };
		const notice = async (fieldValues: IDataObject) =>
			(
				await resourceMapping.getTemplateFields.call(
					bench.form('template', 'send', { ...open, fieldValues } as INodeParameters),
				)
			).emptyFieldsNotice;
		await expect(notice({ mappingMode: 'defineBelow', value: null })).resolves.toMatch(
			/^Choose a template to see its fields/,
		);
		await expect(notice({ mappingMode: 'autoMapInputData', value: null })).resolves.toBeUndefined();
		const nda = bench.form('template', 'send', { templateId: byId(await templateId('Mutual NDA')) });
		await expect(resourceMapping.getTemplateFields.call(nda)).resolves.not.toHaveProperty('emptyFieldsNotice');
	});

	it('has what an imported workflow holds already, which the editor would take out of the form otherwise', async () => {
		const schema = [{ id: 'position', displayName: 'Position', type: 'string' }];
		const roles = [{ id: 'Client name', displayName: 'Client name', type: 'string' }];
		const send = bench.form('template', 'send', {
			templateId: byId(''),
			people: { mappingMode: 'defineBelow', value: { 'Client name': 'Ada' }, schema: roles },
			fieldValues: { mappingMode: 'defineBelow', value: { position: 'Engineer' }, schema },
		});
		await expect(resourceMapping.getTemplateRecipients.call(send)).resolves.toEqual({ fields: roles });
		await expect(resourceMapping.getTemplateFields.call(send)).resolves.toEqual({ fields: schema });
		const link = bench.form('templateLink', 'create', {
			templateId: byId(''),
			signers: { signer: [{ placeholderId: 'ph_1', isOpen: true }] },
		});
		await expect(loadOptions.getTemplatePlaceholders.call(link)).resolves.toEqual([{ name: 'ph_1', value: 'ph_1' }]);
		expect(bench.takeRequests()).toEqual([]);
	});

	it('is empty while what it depends on is an expression, which has a value only when the workflow runs', async () => {
		const form = bench.form('template', 'send', { templateId: byId('={{ $json.template }}') });
		await expect(resourceMapping.getTemplateFields.call(form)).resolves.toMatchObject({ fields: [] });
		await expect(resourceMapping.getTemplateRecipients.call(form)).resolves.toMatchObject({ fields: [] });
	});

	it('says that the key lacks the scope', async () => {
		const { key } = await bench.sandbox.control.createKey({ mode: 'TEST', scopes: ['account:read'] });
		bench.n8n.credentials.use({ baseUrl: bench.proxy.url, apiKey: key });
		try {
			await expect(listSearch.searchTemplates.call(bench.form('template', 'send'))).rejects.toMatchObject({
				httpCode: '403',
			});
		} finally {
			bench.n8n.credentials.use({ baseUrl: bench.proxy.url, apiKey: bench.sandbox.keys.test });
		}
	});
});

describe('The recipients that a field can name', () => {
	it('are those of the form: by email, or by position where the address is an expression', async () => {
		const recipient = [
			{ name: 'Ada', email: 'ada@example.com', type: 'signer' },
			{ name: '={{ $json.name }}', email: '={{ $json.email }}', type: 'signer' },
			{ name: 'Copy', email: 'cc@example.com', type: 'cc' },
		];
		const form = bench.form('document', 'create', { recipients: { recipient } });
		await expect(loadOptions.getFieldRecipients.call(form)).resolves.toEqual([
			{ name: 'Ada <ada@example.com>', value: 'ada@example.com' },
			{ name: 'Recipient 2', value: '2' },
			{ name: 'Copy <cc@example.com> (CC)', value: 'cc@example.com' },
		]);
		expect(bench.takeRequests()).toEqual([]);
	});

	it('are those of the draft whose fields are replaced', async () => {
		const { id } = await draft('Contract');
		const form = bench.form('document', 'updateFields', { documentId: byId(id) });
		await expect(loadOptions.getFieldRecipients.call(form)).resolves.toEqual([
			{ name: 'Ada Lovelace <ada@example.com>', value: 'ada@example.com' },
		]);
	});
});

it('A checkbox of a template is left to the signer unless it was added to the form, whatever value the editor gives it', async () => {
	const offer = byId(await templateId('Offer Letter'));
	const form = bench.form('template', 'send', { templateId: offer });
	const { fields: schema } = await resourceMapping.getTemplateFields.call(form);
	expect(schema.find(({ id }) => id === 'relocation')).toMatchObject({ type: 'boolean', removed: true });
	const fieldValues = { mappingMode: 'defineBelow', value: { position: 'Engineer', relocation: false }, schema };
	const people = peopleOf(
		{ role: 'Candidate', name: 'Ada', email: 'ada@example.com' },
		{ role: 'HR', name: 'People', email: 'hr@example.com' },
	);
	bench.takeRequests();
	const parameters = { templateId: offer, ...people, fieldValues } as unknown as INodeParameters;
	const { error } = await bench.run('template', 'send', parameters);
	expect(error).toBeUndefined();
	const [request] = bench.takeRequests();
	expect((request?.body as IDataObject).field_values).toEqual({ position: 'Engineer' });
});
