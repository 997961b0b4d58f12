import type { IDataObject } from 'n8n-workflow';
import { methods } from '../../nodes/ESign/methods';
import { startSandbox } from '../../sandbox';
import { bench, documents, templateIds } from '../actions/support/operationRun';
import { byId } from '../actions/support/workbench';
import {
	aMinuteLater,
	CREATE_LINK,
	look,
	openForms,
	paths,
	TEMPLATE_SEND,
	UPDATE_FIELDS,
	type Look,
} from './forms';

const { listSearch, loadOptions, resourceMapping } = methods;
const { getTemplateRecipients, getTemplateFields } = resourceMapping;
const { getFieldRecipients, getTemplatePlaceholders } = loadOptions;
openForms();

const SEARCH = { resource: 'document', operation: 'get' };
const REMIND = { resource: 'document', operation: 'remind' };
const GET_LINK = { resource: 'templateLink', operation: 'get' };

/** What the editor asks for when it opens a node: each row for itself. */
const open = async (filled: object, ...methods: Look[]) =>
	await Promise.all(methods.map(async (method) => await look(method, filled)));

describe('Opening a node', () => {
	it('takes one request for the object that it names, however many rows ask, and none within a minute', async () => {
		const { nda } = await templateIds();
		const [draft] = await documents(false);
		const templateId = byId(nda);
		const sixOf = (method: Look) => Array.from({ length: 6 }, () => method);
		const forms: Array<[object, Look[], string]> = [
			[
				{ ...UPDATE_FIELDS, documentId: byId(draft?.documentId) },
				sixOf(getFieldRecipients),
				'/documents/',
			],
			[{ ...CREATE_LINK, templateId }, sixOf(getTemplatePlaceholders), '/templates/'],
			[{ ...TEMPLATE_SEND, templateId }, [getTemplateRecipients, getTemplateFields], '/templates/'],
		];
		for (const [filled, methods, path] of forms) {
			aMinuteLater();
			const first = await open(filled, ...methods);
			expect(paths()).toEqual([expect.stringContaining(path)]);
			await expect(open(filled, ...methods)).resolves.toEqual(first);
			expect(paths()).toEqual([]);
			aMinuteLater();
			await open(filled, ...methods);
			expect(paths()).toHaveLength(1);
		}
	});

	it('shares nothing between two keys', async () => {
		const nda = { ...TEMPLATE_SEND, templateId: byId((await templateIds()).nda) };
		const { key } = await bench.sandbox.control.createKey({ mode: 'TEST' });
		await open(nda, getTemplateFields);
		bench.useKey(key);
		await open(nda, getTemplateFields);
		expect(paths()).toHaveLength(2);
	});

	it('reads anew what an operation may have changed, but no template', async () => {
		const nda = { ...TEMPLATE_SEND, templateId: byId((await templateIds()).nda) };
		const [draft] = await documents(false);
		const documentId = byId(draft?.documentId);
		const update = { ...UPDATE_FIELDS, documentId };
		await open(nda, getTemplateFields);
		await open(update, getFieldRecipients);
		const recipient = [{ name: 'Eva', email: 'eva@example.com', type: 'signer' }];
		await bench.prepare('document', 'updateRecipients', { documentId, recipients: { recipient } });
		const eva = { name: 'Eva <eva@example.com>', value: 'eva@example.com' };
		await expect(look(getFieldRecipients, update)).resolves.toEqual([eva]);
		await open(nda, getTemplateFields);
		expect(paths()).toEqual([`/documents/${draft?.documentId}`]);
	});

	it('reads nothing anew after an operation with another key', async () => {
		const [draft, other] = await documents(false);
		const update = { ...UPDATE_FIELDS, documentId: byId(draft?.documentId) };
		await open(update, getFieldRecipients);
		const { key } = await bench.sandbox.control.createKey({ mode: 'TEST' });
		bench.useKey(key);
		const recipient = [{ name: 'Eva', email: 'eva@example.com', type: 'signer' }];
		const documentId = byId(other?.documentId);
		await bench.prepare('document', 'updateRecipients', { documentId, recipients: { recipient } });
		bench.useKey();
		paths();
		await open(update, getFieldRecipients);
		expect(paths()).toEqual([]);
	});

	it('asks again for what could not be read', async () => {
		const unknown = { ...UPDATE_FIELDS, documentId: byId('doc_unknown') };
		await expect(look(getFieldRecipients, unknown)).rejects.toMatchObject({ httpCode: '404' });
		await expect(look(getFieldRecipients, unknown)).rejects.toMatchObject({ httpCode: '404' });
		expect(paths()).toHaveLength(2);
	});

	it('or searching a list takes one request for both', async () => {
		for (const words of ['', 'cont', 'nothing like it'])
			await look(listSearch.searchDocuments, SEARCH, words);
		expect(paths()).toEqual(['/documents']);
	});
});

const schemaOf = (id: string) => [{ id, displayName: id, type: 'string' }];
const mapped = (id: string) => ({
	mappingMode: 'defineBelow',
	value: { [id]: 'x' },
	schema: schemaOf(id),
});

/**
 * What the rows of an imported workflow hold, which the editor would take out of the form
 * otherwise.
 */
const STANDING: Array<[Look, IDataObject, unknown]> = [
	[
		getTemplateRecipients,
		{ ...TEMPLATE_SEND, people: mapped('Client name') },
		{ fields: schemaOf('Client name') },
	],
	[
		getTemplateFields,
		{ ...TEMPLATE_SEND, fieldValues: mapped('position') },
		{ fields: schemaOf('position') },
	],
	[
		getTemplatePlaceholders,
		{ ...CREATE_LINK, signers: { signer: [{ placeholderId: 'ph_1' }] } },
		[{ name: 'ph_1', value: 'ph_1' }],
	],
	[
		getFieldRecipients,
		{ ...UPDATE_FIELDS, fields: { field: [{ recipient: 'a@b.co' }, { recipient: '' }] } },
		[{ name: 'a@b.co', value: 'a@b.co' }],
	],
];
const naming = (filled: IDataObject, id: string) => ({
	...filled,
	templateId: byId(id),
	documentId: byId(id),
});

describe('While nothing is chosen, or an expression that has a value only when the workflow runs', () => {
	it.each(['', ' ', '={{ $json.id }}'])(
		'(%j), a form shows what stands in it, without a request',
		async (id) => {
			for (const [method, filled, shown] of STANDING) {
				await expect(look(method, naming(filled, id))).resolves.toEqual(shown);
			}
			await expect(look(listSearch.searchRecipients, naming(REMIND, id))).resolves.toEqual({
				results: [],
			});
			await expect(look(listSearch.searchTemplateLinks, naming(GET_LINK, id))).resolves.toEqual({
				results: [],
			});
			expect(paths()).toEqual([]);
		},
	);

	it('a mapper says what fills it, unless it is mapped automatically', async () => {
		const notice = async (more: object) => {
			const shown = await look(getTemplateFields, { ...TEMPLATE_SEND, ...more });
			return (shown as { emptyFieldsNotice?: string }).emptyFieldsNotice;
		};
		await expect(notice({ templateId: byId('') })).resolves.toMatch(
			/^Choose a template to see its fields/,
		);
		const fieldValues = { mappingMode: 'autoMapInputData', value: null };
		await expect(notice({ templateId: byId(''), fieldValues })).resolves.toBeUndefined();
		const { nda } = await templateIds();
		await expect(notice({ templateId: byId(nda), fieldValues })).resolves.toBeUndefined();
	});
});

it('While the limit of the key is used up, a form shows what was read before, however long ago, or what stands in it', async () => {
	const sandbox = await startSandbox({ rateLimit: 10 });
	const ask = async (path: string) =>
		await fetch(`${sandbox.url}${path}`, {
			headers: { authorization: `Bearer ${sandbox.keys.test}` },
		});
	bench.n8n.credentials.use({ baseUrl: sandbox.url, apiKey: sandbox.keys.test });
	try {
		const { data } = (await (await ask('/templates')).json()) as { data: Array<{ id: string }> };
		const known = { ...TEMPLATE_SEND, templateId: byId(data[0]?.id) };
		const shown = async () => [
			await open(known, getTemplateRecipients, getTemplateFields),
			await look(listSearch.searchTemplates, known),
		];
		const before = await shown();
		while ((await ask('/account')).status !== 429);
		aMinuteLater();

		await expect(shown()).resolves.toEqual(before);
		for (const [method, filled, shown] of STANDING) {
			await expect(look(method, naming(filled, 'new_1'))).resolves.toEqual(shown);
		}
		await expect(
			look(getTemplateRecipients, naming(TEMPLATE_SEND, 'new_1')),
		).resolves.toMatchObject({
			fields: [],
			emptyFieldsNotice: expect.stringContaining('used up its requests') as string,
		});
		// A list that nobody has seen says why it is empty.
		await expect(look(listSearch.searchDocuments, SEARCH)).rejects.toMatchObject({
			httpCode: '429',
		});
		await expect(look(listSearch.searchRecipients, naming(REMIND, 'new_1'))).rejects.toMatchObject({
			httpCode: '429',
		});
	} finally {
		await sandbox.close();
	}
});
