import type { IDataObject, ILoadOptionsFunctions, INodeParameters } from 'n8n-workflow';
import { methods } from '../../nodes/ESign/methods';
import { client } from '../../nodes/ESign/client';
import { startSandbox } from '../../sandbox';
import { bench, documents, openBench, SIGNERS, templateIds } from '../actions/support/operationRun';
import { byId } from '../actions/support/workbench';

const { listSearch, loadOptions, resourceMapping } = methods;
openBench();

const { clock, interactivePatienceMs } = client.settings;
let later = 0;
/** Whatever was read before this test is older than a minute. */
const aMinuteLater = () => void (later += 61_000);
beforeAll(() => {
	client.settings.clock = { ...clock, now: () => clock.now() + later };
	client.settings.interactivePatienceMs = 20;
});
beforeEach(aMinuteLater);
afterAll(() => Object.assign(client.settings, { clock, interactivePatienceMs }));

type Look = (this: ILoadOptionsFunctions) => Promise<unknown>;

/** What the editor asks for when it opens a node whose list has six rows. Each row has a context of its own. */
const open = async (parameters: INodeParameters, ...looks: Look[]) =>
	await Promise.all(looks.map(async (look) => await look.call(form(parameters))));
const form = ({ resource, operation, ...parameters }: INodeParameters) =>
	bench.form(String(resource), String(operation), parameters);
const sixOf = (look: Look) => Array.from({ length: 6 }, () => look);
const paths = () => bench.takeRequests().map(({ path }) => path);

const rows = (key: string, value: string) => ({ [key]: value }) as IDataObject;
const NDA: IDataObject = { resource: 'template', operation: 'send' };

/** The forms that have rows or mappers, filled so far that they look something up. */
async function forms(): Promise<Array<[string, INodeParameters, Look[], string]>> {
	const { nda } = await templateIds();
	const [draft] = await documents(false);
	const documentId = byId(draft?.documentId);
	const send = { ...NDA, templateId: byId(nda) } as INodeParameters;
	const link = { resource: 'templateLink', operation: 'create', templateId: byId(nda) };
	const fields = { resource: 'document', operation: 'updateFields', documentId };
	bench.takeRequests();
	return [
		['Update Fields', fields, sixOf(loadOptions.getFieldRecipients), `/documents/${draft?.documentId}`],
		['Create of Template Link', link, sixOf(loadOptions.getTemplatePlaceholders), `/templates/${nda}`],
		[
			'Send of Template',
			send,
			[resourceMapping.getTemplateRecipients, resourceMapping.getTemplateFields],
			`/templates/${nda}`,
		],
	];
}

describe('Opening a node', () => {
	it('takes one request for the object that it names, however many rows ask, and none within a minute', async () => {
		for (const [name, parameters, looks, path] of await forms()) {
			aMinuteLater();
			const first = await open(parameters, ...looks);
			expect([name, paths()]).toEqual([name, [path]]);
			await expect(open(parameters, ...looks)).resolves.toEqual(first);
			expect([name, paths()]).toEqual([name, []]);
			aMinuteLater();
			await open(parameters, ...looks);
			expect([name, paths()]).toEqual([name, [path]]);
		}
	});

	it('shares nothing between two keys', async () => {
		const { nda } = await templateIds();
		const { key } = await bench.sandbox.control.createKey({ mode: 'TEST' });
		const look = async () =>
			await resourceMapping.getTemplateFields.call(form({ ...NDA, templateId: byId(nda) } as INodeParameters));
		await look();
		bench.n8n.credentials.use({ baseUrl: bench.proxy.url, apiKey: key });
		try {
			await look();
		} finally {
			bench.n8n.credentials.use({ baseUrl: bench.proxy.url, apiKey: bench.sandbox.keys.test });
		}
		expect(paths()).toEqual([`/templates/${nda}`, `/templates/${nda}`]);
	});

	it('reads anew what an operation may have changed, but no template', async () => {
		const [[, fields, [recipients]], , [, send, mappers]] = (await forms()) as unknown as [
			[string, INodeParameters, Look[]],
			unknown,
			[string, INodeParameters, Look[]],
		];
		await open(send, ...mappers);
		await open(fields, recipients as Look);
		const person = { name: 'Eva', email: 'eva@example.com', type: 'signer' };
		const { documentId } = fields;
		await bench.prepare('document', 'updateRecipients', { documentId, recipients: { recipient: [person] } });
		await expect(open(fields, recipients as Look)).resolves.toEqual([
			[{ name: 'Eva <eva@example.com>', value: 'eva@example.com' }],
		]);
		expect(paths()).toHaveLength(1);
		await open(send, ...mappers);
		expect(paths()).toEqual([]);
	});

	it('asks again for what could not be read', async () => {
		const fields = { resource: 'document', operation: 'updateFields', documentId: byId('doc_unknown') };
		await expect(open(fields, loadOptions.getFieldRecipients)).rejects.toMatchObject({ httpCode: '404' });
		await expect(open(fields, loadOptions.getFieldRecipients)).rejects.toMatchObject({ httpCode: '404' });
		expect(paths()).toHaveLength(2);
	});
});

describe('A list', () => {
	it('is opened and searched by one request', async () => {
		await documents(true);
		const get = { resource: 'document', operation: 'get' };
		bench.takeRequests();
		for (const words of [undefined, '', 'cont', 'nothing like it'])
			await listSearch.searchDocuments.call(form(get), words);
		expect(paths()).toEqual(['/documents']);
	});

	it.each([
		['send', ['draft', 'draft']],
		['updateFields', ['draft', 'draft']],
		['updateRecipients', ['draft', 'draft']],
		['cancel', ['in_progress']],
		['remind', ['in_progress']],
		['wait', ['in_progress']],
		['createEmbedLink', ['in_progress']],
		['get', ['draft', 'draft', 'completed', 'in_progress']],
		['download', ['completed', 'draft', 'draft', 'in_progress']],
	])('of documents shows for %s what it can take', async (operation, statuses) => {
		const [, second] = await documents(true);
		await documents(false);
		// The service lists the newest first: of those that were sent, the second.
		await bench.sandbox.control.sign(String(second?.recipientId));
		const { results } = await listSearch.searchDocuments.call(form({ resource: 'document', operation }));
		const all = await bench.prepare('document', 'getAll', { returnAll: true });
		const statusOf = new Map(all.map(({ id, status }) => [id, status]));
		expect(results.map(({ value }) => statusOf.get(value as string))).toEqual(statuses);
	});
});

describe('While the limit of the key is used up', () => {
	const used = { url: '', key: '' };
	let sandbox: Awaited<ReturnType<typeof startSandbox>>;
	beforeAll(async () => {
		sandbox = await startSandbox({ rateLimit: 10 });
		Object.assign(used, { url: sandbox.url, key: sandbox.keys.test });
		bench.n8n.credentials.use({ baseUrl: used.url, apiKey: used.key });
	});
	afterAll(async () => {
		bench.n8n.credentials.use({ baseUrl: bench.proxy.url, apiKey: bench.sandbox.keys.test });
		await sandbox.close();
	});
	const ask = async (path: string) =>
		await fetch(`${used.url}${path}`, { headers: { authorization: `Bearer ${used.key}` } });
	const useUp = async () => {
		while ((await ask('/account')).status !== 429);
	};

	it('rows show what was read before, however long ago, or what they hold; lists what they showed', async () => {
		const templates = ((await (await ask('/templates')).json()) as { data: Array<{ id: string; name: string }> }).data;
		const idOf = (name: string) => String(templates.find((template) => template.name === name)?.id);
		const nda = { ...NDA, templateId: byId(idOf('Mutual NDA')) } as INodeParameters;
		const known = await open(nda, resourceMapping.getTemplateRecipients, resourceMapping.getTemplateFields);
		const list = await listSearch.searchTemplates.call(form(NDA as INodeParameters));
		expect(list.results).toHaveLength(2);
		await useUp();
		aMinuteLater();

		const again = await open(nda, resourceMapping.getTemplateRecipients, resourceMapping.getTemplateFields);
		expect(again).toEqual(known);
		await expect(listSearch.searchTemplates.call(form(NDA as INodeParameters))).resolves.toEqual(list);

		const schema = [{ id: 'position', displayName: 'position (text)', type: 'string' }];
		const offer = { ...NDA, templateId: byId(idOf('Offer Letter')) } as INodeParameters;
		const fieldValues = { mappingMode: 'defineBelow', value: { position: 'x' }, schema };
		await expect(open({ ...offer, fieldValues }, resourceMapping.getTemplateFields)).resolves.toEqual([
			{ fields: schema },
		]);
		await expect(open(offer, resourceMapping.getTemplateRecipients)).resolves.toMatchObject([
			{ fields: [], emptyFieldsNotice: expect.stringContaining('used up its requests') as string },
		]);
		const signer = [{ ...rows('placeholderId', 'ph_1'), isOpen: true }];
		const link = { ...offer, resource: 'templateLink', operation: 'create', signers: { signer } };
		await expect(open(link as INodeParameters, loadOptions.getTemplatePlaceholders)).resolves.toEqual([
			[{ name: 'ph_1', value: 'ph_1' }],
		]);
		const field = [rows('recipient', String(SIGNERS[0]?.email)), rows('recipient', '')];
		const fields = { resource: 'document', operation: 'updateFields', documentId: byId('doc_1'), fields: { field } };
		await expect(open(fields as INodeParameters, loadOptions.getFieldRecipients)).resolves.toEqual([
			[{ name: SIGNERS[0]?.email, value: SIGNERS[0]?.email }],
		]);
		// A list that nobody has seen says why it is empty.
		const get = form({ resource: 'document', operation: 'get' });
		await expect(listSearch.searchDocuments.call(get)).rejects.toMatchObject({ httpCode: '429' });
	});
});
